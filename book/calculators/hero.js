// The first figure: the map of γ against L, and a live exact run.
const ROUNDS = 40;
const SPREADS = [1, 1.1, 1.25, 1.5, 2, 2.5, 3, 5, 10];
const HERO_FIELDS = [
  {key: 'gamma', label: '<i>γ</i> learning rate', help: 'learning rate', low: 10 ** MAP.gamma[0], high: 10 ** MAP.gamma[1], value: 0.04, kind: 'log', least: 0, above: true},
  {key: 'L', label: '<i>L</i> smoothness', help: 'smoothness of the losses', low: 10 ** MAP.L[0], high: 10 ** MAP.L[1], value: 60, kind: 'log', least: 0, above: true},
  {key: 'E', label: '<i>E</i> local steps', help: 'local steps of a device in one round', low: 1, high: 10, value: 1, kind: 'integer', least: 1, most: 10},
  {key: 'B', label: '<i>B</i> how different the devices are', help: 'dissimilarity of the devices', low: 1, high: 10, value: 1, kind: 'log', least: 1, most: 10},
];
const nearest = B => SPREADS.reduce((best, b) => Math.abs(Math.log(b / B)) < Math.abs(Math.log(best / B)) ? b : best);

function iterates(found) {
  const points = found.broadcast.map((w, t) => [t, size10(energy(w)) / 2]), y = span(points.map(p => p[1]).concat(0));
  return plot({series: [{role: 'fps', points}], x: {label: 'round t', low: 0, high: points.length - 1}, y: {label: 'size ‖wₜ‖', ...y, log: true}, height: 220});
}

function wordsFor(values, found, run, named) {
  const last = energy(found.broadcast[run.T]), first = energy(found.broadcast[0]), grows = above(last, first), limit = certifiedStep(values) / values.L;
  const step = named ? `<b>${named}.</b> ` : '';
  const movement = named ? '' : grows ? `In exact arithmetic the model grows from 1 to <b data-size>10<sup>${(size10(last) / 2).toFixed(1)}</sup></b> in ${run.T} rounds. ` :
    `In exact arithmetic the model shrinks to 10<sup>${(size10(last) / 2).toFixed(1).replace('-', '−')}</sup> in ${run.T} rounds. `;
  const slow = !named && !grows && found.broken ? 'It converges, but more slowly than the bound allows: the theorem dropped the factor ρ &lt; 1/2. ' : '';
  return `${step}${movement}${slow}<span class="fps-place">Certified for E = ${values.E}, B = ${values.B}, L = ${onPage(values.L, 3)}: γ ≤ <b data-certified>${downOnPage(limit)}</b>.</span>`;
}

const hero = document.getElementById('hero'), heroView = document.createElement('div'), heroButtons = document.createElement('div');
let named = null, byHand = true;
const heroFields = makeFields(hero, HERO_FIELDS, raw => {
  const values = {...raw, B: nearest(raw.B)}, text = x => String(Number(x.toPrecision(3)));
  const run = named && !byHand ? RUNS[named] : pullingApart({gamma: text(values.gamma), L: text(values.L), E: values.E, B: String(values.B)}, ROUNDS);
  const found = judge(run);
  heroView.innerHTML = `<div class="fps-hero-grid"><div>${drawMap(values)}</div><div>${named && !byHand ? sidesChart(found) : iterates(found)}</div></div>` +
    `<p class="fps-sides-lead">${wordsFor(values, found, run, byHand ? null : STORIES[named])}</p>${judgementOf(found, run)}${named && !byHand ? qualificationOf(run) : ''}`;
  const map = heroView.querySelector('svg'), move = event => {
    const box = map.getBoundingClientRect(), at = placeOf((event.clientX - box.left) / box.width * MAP.width, (event.clientY - box.top) / box.height * MAP.height);
    byHand = true;
    heroFields.setAll({L: Number((10 ** at.L).toPrecision(3)), gamma: Number((10 ** at.gamma).toPrecision(3))});
  };
  map.addEventListener('click', move);
});
hero.addEventListener('input', () => { byHand = true; }, true);
const presets = {'γ inside the paper’s range, run diverges': {gamma: 0.04, L: 60, E: 1, B: 1}, 'Same γ, gentle loss': {gamma: 0.04, L: 4, E: 1, B: 1}, 'Five local steps, unlike devices': {gamma: 0.0016, L: 250, E: 5, B: 2}};
presetButtons(heroButtons, presets, {setAll: v => { byHand = true; heroFields.setAll(v); }});
const more = document.createElement('details');
more.innerHTML = `<summary>${runsByKind(RUNS)}</summary>`;
const sixDigits = text => Number(asNumber(rational(text)).toPrecision(6));
for (const name of Object.keys(RUNS)) {
  const button = document.createElement('button'), run = RUNS[name];
  button.textContent = STORIES[name];
  button.addEventListener('click', () => { named = name; byHand = false; heroFields.setAll({gamma: sixDigits(run.gamma), L: sixDigits(run.L), E: run.E, B: Math.min(10, sixDigits(run.B))}); });
  more.append(button);
}
hero.prepend(heroView);
hero.append(heroButtons, more);
byHand = true;
heroFields.update();
