// The first figure: γ against L, the paper's range, what is certified, what is impossible, and a live exact run.
const ROUNDS = 40, MAP = {L: [0, 3], gamma: [-4, 0.4]};
const SPREADS = [1, 1.1, 1.25, 1.5, 2, 2.5, 3, 5, 10];
const HERO_FIELDS = [
  {key: 'gamma', label: '<i>γ</i> learning rate', help: 'learning rate', low: 10 ** MAP.gamma[0], high: 10 ** MAP.gamma[1], value: 0.04, kind: 'log', least: 0, above: true},
  {key: 'L', label: '<i>L</i> smoothness', help: 'smoothness of the losses', low: 1, high: 1000, value: 60, kind: 'log', least: 0, above: true},
  {key: 'E', label: '<i>E</i> local steps', help: 'local steps of a device in one round', low: 1, high: 10, value: 1, kind: 'integer', least: 1, most: 10},
  {key: 'B', label: '<i>B</i> how different the devices are', help: 'dissimilarity of the devices', low: 1, high: 10, value: 1, kind: 'log', least: 1, most: 10},
];
const nearest = B => SPREADS.reduce((best, b) => Math.abs(Math.log(b / B)) < Math.abs(Math.log(best / B)) ? b : best);
const paperLimit = ({E, B}) => (1 - 6e-6 * E * E * B * B) / (12 * (1 + 1e-6 * B * B) * E * E);
// Where ρ(γ) = 1/4, which the paper asks for as well.
function rhoLimit({E, B}) {
  const y = 1e-6 * B * B, spread = 1 + 2 / (1 + 2 * y);
  return ((1 - y * spread * E * E) / 2 - 1 / 4) / ((2 + 2 * y) * spread * E * E);
}

function drawMap(values) {
  const width = 640, height = 380, {left, right, top, bottom} = FRAME, clip = v => Math.min(MAP.gamma[1], Math.max(MAP.gamma[0], v));
  const X = v => left + (v - MAP.L[0]) / (MAP.L[1] - MAP.L[0]) * (width - left - right);
  const Y = v => height - bottom - (clip(v) - MAP.gamma[0]) / (MAP.gamma[1] - MAP.gamma[0]) * (height - top - bottom);
  const flat = Math.log10(paperLimit(values)), quarter = Math.log10(rhoLimit(values)), certified = Math.log10(certifiedStep(values)), impossible = Math.log10(impossibleStep(values));
  const under = level => `M${X(0)},${Y(level)}L${X(3)},${Y(level - 3)}V${height - bottom}H${left}Z`;
  const crossing = Math.min(3, Math.max(0, impossible - flat));
  const wrong = crossing < 3 ? `<path class="fps-wrong" d="M${X(crossing)},${Y(flat)}H${X(3)}V${Y(impossible - 3)}Z"/>` : '';
  const marks = `<path class="fps-certified" d="${under(certified)}"/><rect class="fps-papers" x="${left}" y="${Y(flat)}" width="${width - left - right}" height="${height - bottom - Y(flat)}"/>${wrong}` +
    `<path class="fps-limit-paper" d="M${left},${Y(flat)}H${width - right}"/><path class="fps-limit-paper" stroke-dasharray="3 4" d="M${left},${Y(quarter)}H${width - right}"/><path class="fps-limit-safe" d="M${X(0)},${Y(certified)}L${X(3)},${Y(certified - 3)}"/>` +
    `<path class="fps-limit-no" d="M${X(0)},${Y(impossible)}L${X(3)},${Y(impossible - 3)}"/>` +
    (crossing < 2.4 ? `<text class="fps-region-wrong" x="${X(3) - 8}" y="${Y(quarter) - 6}" text-anchor="end">allowed, but fails</text>` : '') +
    `<text class="fps-region-paper" x="${X(3)}" y="${Y(flat) - 9}" text-anchor="end">paper: γ ≤ ${down(paperLimit(values), 3)}, any L</text>` +
    `<text class="fps-region-paper" x="${X(3)}" y="${Y(quarter) + 20}" text-anchor="end">its second condition: γ &lt; ${down(rhoLimit(values), 3)}</text>` +
    `<circle class="fps-dot" cx="${X(Math.log10(values.L))}" cy="${Y(Math.log10(values.gamma))}" r="9"/>`;
  const frame = plot({series: [], x: {label: 'smoothness L', low: MAP.L[0], high: MAP.L[1], log: true}, y: {label: 'learning rate γ', low: MAP.gamma[0], high: MAP.gamma[1], log: true}, width, height, marks});
  return frame.replace('class="fps-chart"', 'class="fps-chart fps-hero-map"');
}

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
  return `${step}${movement}${slow}<span class="fps-place">Certified for E = ${values.E}, B = ${values.B}, L = ${general(values.L, 3)}: γ ≤ <b data-certified>${down(limit)}</b>.</span>`;
}

const hero = document.getElementById('hero'), heroView = document.createElement('div'), heroButtons = document.createElement('div');
let named = null, byHand = true;
const heroFields = makeFields(hero, HERO_FIELDS, raw => {
  const values = {...raw, B: nearest(raw.B)}, text = x => String(Number(x.toPrecision(3)));
  const run = named && !byHand ? RUNS[named] : pullingApart({gamma: text(values.gamma), L: text(values.L), E: values.E, B: String(values.B)}, ROUNDS);
  const found = judge(run);
  heroView.innerHTML = `<div class="fps-hero-grid"><div>${drawMap(values)}</div><div>${named && !byHand ? sidesChart(found) : iterates(found)}</div></div>` +
    `<p class="fps-sides-lead">${wordsFor(values, found, run, byHand ? null : STORIES[named])}</p>${judgementOf(found, run)}`;
  const map = heroView.querySelector('svg'), move = event => {
    const box = map.getBoundingClientRect(), at = (event.clientX - box.left) / box.width * 640, high = (event.clientY - box.top) / box.height * 380;
    byHand = true;
    heroFields.setAll({L: Number((10 ** Math.min(3, Math.max(0, (at - FRAME.left) / (640 - FRAME.left - FRAME.right) * 3))).toPrecision(3)),
      gamma: Number((10 ** Math.min(MAP.gamma[1], Math.max(MAP.gamma[0], MAP.gamma[1] - (high - FRAME.top) / (380 - FRAME.top - FRAME.bottom) * (MAP.gamma[1] - MAP.gamma[0])))).toPrecision(3))});
  };
  map.addEventListener('click', move);
});
hero.addEventListener('input', () => { byHand = true; }, true);
const presets = {'γ inside the paper’s range, run diverges': {gamma: 0.04, L: 60, E: 1, B: 1}, 'Same γ, gentle loss': {gamma: 0.04, L: 4, E: 1, B: 1}, 'Five local steps, unlike devices': {gamma: 0.0016, L: 250, E: 5, B: 2}};
presetButtons(heroButtons, presets, {setAll: v => { byHand = true; heroFields.setAll(v); }});
const more = document.createElement('details');
more.innerHTML = `<summary>The ${Object.keys(RUNS).length} runs that refute Theorem 1</summary>`;
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
