// The second figure: shrink the sketch, and the edge moves below 2/L.
const EDGE_ROUNDS = 150, EDGE_FIELDS = [
  {key: 'rows', label: 'rows <i>J</i>', help: 'rows of the sketch', low: 1, high: 9, value: 5, kind: 'integer', least: 1, most: 9},
  {key: 'buckets', label: 'buckets in a row', help: 'buckets in a row', low: 4, high: 256, value: 8, kind: 'integer', least: 2, most: 256},
  {key: 'k', label: '<i>k</i> coordinates read out, of 64', help: 'coordinates read out', low: 1, high: SIZE, value: SIZE, kind: 'integer', least: 1, most: SIZE},
  {key: 'gamma', label: '<i>Lγ</i>, where 2 is the limit without a sketch', help: 'learning rate times smoothness', low: 0.02, high: 2.2, value: 1.4, kind: 'log', least: 0, above: true},
];
const edgeRoot = document.getElementById('edge-demo'), edgeView = document.createElement('div'), edgeButtons = document.createElement('div');
let how = 'mean', edgeSeed = 1;
function drawEdge(values) {
  const found = runThroughSketch({...values, how, seed: edgeSeed}, EDGE_ROUNDS), X = g => 20 + 600 * Math.min(g, 2.4) / 2.4;
  const bar = `<svg class="fps-chart" viewBox="0 -8 640 84" role="img" aria-label="learning rates"><rect class="fps-certified" x="20" y="22" width="${X(Math.min(found.edge, 2)) - 20}" height="22"/>` +
    (found.edge < 2 ? `<rect class="fps-wrong" x="${X(found.edge)}" y="22" width="${X(2) - X(found.edge)}" height="22"/>` : '') +
    `<path class="fps-axis" d="M20,44H620"/><path class="fps-limit-safe" d="M${X(found.edge)},16V50"/><path class="fps-limit-paper" d="M${X(2)},16V50"/>` +
    `<text x="${X(found.edge)}" y="66" text-anchor="${found.edge > 1.6 ? 'end' : 'middle'}">edge 2/L<tspan dy="4" font-size="75%">A</tspan><tspan dy="-4">: Lγ = ${downOnPage(found.edge, 3)}</tspan></text><text x="${X(2)}" y="12" text-anchor="middle">without a sketch: Lγ = 2</text>` +
    `<circle class="fps-dot" cx="${X(values.gamma)}" cy="33" r="8"/></svg>`;
  const points = found.losses.map((l, t) => [t, l === Infinity ? NaN : Math.log10(Math.max(l, 1e-16))]), y = {low: Math.min(-1, ...points.map(p => p[1]).filter(Number.isFinite)), high: Math.max(0.5, ...points.map(p => p[1]).filter(Number.isFinite))};
  const series = [{name: 'loss / loss at the start', role: 'fps', points}];
  const full = values.k === SIZE && how === 'mean', beyond = values.gamma > found.edge, fate = fateOf(found.losses, full && beyond), end = found.losses[found.losses.length - 1];
  const small = values.k < SIZE ? 'k is too small, or the sketch is' : 'the sketch is too small for this read-out';
  const words = {falls: 'The loss <b>falls</b>', rises: `The loss <b>falls and rises again</b>, or never falls: ${small} (bounded in these rounds, and the model does not train)`, diverges: 'The run <b>diverges</b>'};
  edgeView.innerHTML = bar + plot({series, x: {label: 'round', low: 0, high: EDGE_ROUNDS}, y: {label: 'loss / loss at start', ...y, log: true}, height: 230}) +
    `<p data-fate="${fate}">${words[fate]}. The learning rate is ${beyond ? 'beyond' : 'below'} 2/L<sub>A</sub>. ${full ? 'With the mean and k = d this edge is exact (Corollary B2).' : 'The edge is exact only for the mean with k = d; here it is a guide.'} ` +
    (fate === 'diverges' ? '</p>' : `The last broadcast has ${onPage(end, 2)} of the first loss; the average of the last half has ${onPage(found.averaged, 2)}.</p>`);
}
const edgeFields = makeFields(edgeRoot, EDGE_FIELDS, drawEdge);
edgeRoot.prepend(edgeView);
presetButtons(edgeButtons, {
  'Small sketch, γ near 2/L': {rows: 5, buckets: 8, k: 64, gamma: 1.4}, 'Same γ, large sketch': {rows: 5, buckets: 256, k: 64, gamma: 1.4},
  'Small sketch, γ below the edge': {rows: 5, buckets: 8, k: 64, gamma: 0.4}, 'Small k': {rows: 5, buckets: 8, k: 5, gamma: 0.4},
}, edgeFields);
for (const [name, act] of Object.entries({'Mean or median': () => { how = how === 'mean' ? 'median' : 'mean'; }, 'New hash': () => { edgeSeed += 1; }})) {
  const button = document.createElement('button');
  button.textContent = name;
  button.addEventListener('click', () => { act(); if (name.includes('median')) button.textContent = `Read-out: ${how} (switch)`; edgeFields.update(); });
  edgeButtons.append(button);
}
edgeRoot.append(edgeButtons);
edgeFields.update();
