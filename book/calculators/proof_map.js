// Pointing at a line of the proof map keeps what it rests on and what uses it. EDGES is given by the page.
// A finger cannot point: its first tap shows, a second one on the same box opens.
const map = document.querySelector('.fps-map'), boxes = [...map.querySelectorAll('.fps-node')], words = map.querySelector('.fps-map-words');
const used = {};
for (const [id, all] of Object.entries(EDGES)) for (const d of all) (used[d] ??= []).push(id);
const reach = (id, edges) => { const found = new Set([id]), queue = [id]; while (queue.length) for (const n of edges[queue.pop()] ?? []) if (!found.has(n)) { found.add(n); queue.push(n); } return found; };
let shown = null, before = null, finger = false;
const show = box => {
  shown = box;
  const up = reach(box.dataset.id, EDGES), down = reach(box.dataset.id, used);
  map.classList.add('fps-focus');
  boxes.forEach(b => b.classList.toggle('fps-on', up.has(b.dataset.id) || down.has(b.dataset.id)));
  words.textContent = `${box.dataset.title}. Rests on ${up.size - 1} lines; ${down.size - 1} lines use it.`;
};
boxes.forEach(b => { for (const event of ['mouseenter', 'focus']) b.addEventListener(event, () => show(b)); for (const event of ['mouseleave', 'blur']) b.addEventListener(event, () => { shown = null; map.classList.remove('fps-focus'); }); });
map.addEventListener('pointerdown', event => { finger = event.pointerType === 'touch'; before = shown; }, true);
map.addEventListener('click', event => { const box = event.target.closest('.fps-node'); if (box && finger && before !== box) { event.preventDefault(); show(box); } });
if (matchMedia('(hover: none)').matches) words.textContent = 'Tap a box: what it rests on stays bright. A second tap opens it.';
