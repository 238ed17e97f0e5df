// The learning-rate calculator in the page.
const FIELDS = [
  {key: 'L', label: '<i>L</i> smoothness', help: 'smoothness of the device losses', low: 0.001, high: 1000, value: 4, kind: 'log', least: 0, above: true},
  {key: 'E', label: '<i>E</i> local steps', help: 'local steps per round', low: 1, high: 50, value: 5, kind: 'integer', least: 1, most: 2000},
  {key: 'B', label: '<i>B</i> dissimilarity', help: 'gradient dissimilarity of the devices', low: 1, high: 20, value: 1.3, kind: 'log', least: 1},
  {key: 'P_b', label: '<i>P<sub>b</sub></i> relative bias', help: 'relative bias', low: 0.00001, high: 1, value: 0, kind: 'log0', least: 0},
  {key: 'P_n', label: '<i>P<sub>n</sub></i> relative noise', help: 'relative noise', low: 0.0001, high: 100, value: 0, kind: 'log0', least: 0},
  {key: 'mu', label: '<i>μ</i> proximal weight', help: 'proximal weight', low: 0.0001, high: 100, value: 0, kind: 'log0', least: 0},
  {key: 'M', label: '<i>M</i> devices', help: 'number of devices with uncorrelated noise', low: 1, high: 1000, value: 10, kind: 'integer', least: 1},
  {key: 'L_A', label: '<i>L<sub>A</sub></i> through the sketch (0: no sketch)', help: 'largest eigenvalue of the sketched curvature; estimate prints it', low: 0.001, high: 10000, value: 0, kind: 'log0', least: 0},
  {key: 'gamma', label: '<i>γ</i> your learning rate', help: 'the learning rate you want to check', low: 0.00001, high: 10, value: 0.01, kind: 'log', least: 0, above: true},
];
const PRESETS = {
  'Example of this book': {L: 4, mu: 0, E: 5, B: 1.3, P_b: 0, P_n: 0, M: 10, L_A: 0, gamma: 0.01},
  'Mini-batches': {L: 4, mu: 0, E: 5, B: 1.3, P_b: 0, P_n: 0.2, M: 10, L_A: 0, gamma: 0.01},
  'Very different devices': {L: 4, mu: 0, E: 5, B: 10, P_b: 0, P_n: 0, M: 10, L_A: 0, gamma: 0.01},
  'A small sketch': {L: 4, mu: 0, E: 1, B: 1.3, P_b: 0, P_n: 0, M: 10, L_A: 18, gamma: 0.3},
  'Steep loss': {L: 100, mu: 0, E: 1, B: 1, P_b: 0.001, P_n: 0, M: 10, L_A: 0, gamma: 0.05},
};

const extraRanges = q => [
  {form: 'certified', name: RATES.text.names.certified, role: RATES.text.roles.certified, gamma_max: certifiedRate(q), strict: false, status: 'an exact certificate, for a run whose sketch loses nothing',
    absent: 'not in the table of this page: run <code>fpsverify lr</code>'},
  {form: 'convex', name: 'Theorem C, if every loss is convex', role: 'convex', gamma_max: convexRate(q), strict: true, status: 'proved, for a run whose sketch loses nothing', absent: 'needs P<sub>b</sub> = 0 and μ = 0'},
  {form: 'sketch', name: 'the edge of the sketch', role: 'fps', gamma_max: sketchRate(q), strict: true, status: 'exact for the mean with k = d and E = 1 on quadratics; measured otherwise', absent: 'no sketch given'},
].map(r => ({...r, empty: r.gamma_max === null, unbounded: false}));
const named = r => ({name: RATES.text.names[r.form], role: RATES.text.roles[r.form], ...r});

function axisOf(ranges, gamma) {
  const sizes = ranges.map(r => r.gamma_max).concat(gamma).filter(x => x !== null && x > 0).map(Math.log10);
  let low = Math.floor(Math.min(...sizes) - 0.3), high = Math.ceil(Math.max(...sizes) + 0.1);
  if (high - low < 3) low = high - 3;
  return {low, high, at: x => 100 * Math.min(1, Math.max(0, (Math.log10(x) - low) / (high - low)))};
}

function drawRange(range, axis, gamma) {
  const limit = range.empty ? range.absent ?? 'empty' : range.unbounded ? 'any γ' : `γ ${range.strict ? '&lt;' : '≤'} ${downOnPage(range.gamma_max)}`;
  const width = range.empty ? 0 : range.unbounded ? 100 : axis.at(range.gamma_max), inside = contains(range, gamma);
  return `<div class="fps-range" data-form="${range.form}" data-inside="${inside}"><div class="fps-name"><span>${range.name}</span><b>${limit}</b></div>` +
    `<div class="fps-track" title="${inside ? 'your γ is inside' : 'your γ is outside'}"><i style="width:${width}%;background:var(--fps-${range.role})"></i><u style="left:${axis.at(gamma)}%"></u></div></div>`;
}

function drawTicks(axis) {
  const powers = [], step = Math.ceil((axis.high - axis.low) / 6);
  for (let p = axis.low; p <= axis.high; p += step) powers.push(p);
  return '<div class="fps-ticks">' + powers.map(p => `<span style="left:${axis.at(10 ** p)}%">10<sup>${String(p).replace('-', '−')}</sup></span>`).join('') + '</div>';
}

const statusLine = r => `<li><b>${r.name}</b>: ${onPaper(r.status ?? '')}${r.binding && RATES.text.binding[r.binding] ? ' ' + onPaper(RATES.text.binding[r.binding]) : ''}</li>`;
const root = document.getElementById('rate-calculator');
let started = false;  // an address with an anchor stays as it is until something changes
const advice = document.createElement('p'), buttons = document.createElement('div'), result = document.createElement('div'), download = document.createElement('a');
advice.className = 'fps-lead';
let latestValues = null;
const fields = makeFields(root, FIELDS, values => {
  latestValues = values;
  const ranges = [...allRanges(values).map(named), ...extraRanges(values)], axis = axisOf(ranges, values.gamma);
  advice.innerHTML = sentenceFor(values);
  result.innerHTML = '<div class="fps-ranges">' + ranges.map(r => drawRange(r, axis, values.gamma)).join('') + drawTicks(axis) +
    '<div class="fps-place">learning rate γ, logarithmic; the dashed line is your γ; limits are rounded down</div></div>' +
    `<details><summary>What each range rests on</summary><ul>${ranges.map(statusLine).join('')}</ul></details>`;
  const cell = certifiedRate(values) === null || values.P_b > 0 ? null : certifiedCell(values), certificate = cell && CERTIFICATES[cell.i][cell.j];
  download.hidden = !certificate;
  if (certificate) {
    download.href = 'data:application/json,' + encodeURIComponent(JSON.stringify(certificate, null, 1));
    download.download = `certificate_E${values.E}_B${CERTIFIED.B[cell.j]}.json`;
    download.innerHTML = `Download the certificate for E = ${values.E}, B = ${CERTIFIED.B[cell.j]}, Lγ = ${downOnPage(cell.step)}; check it with: fpsverify check FILE`;
  }
  if (started) writeAddress(values);
});
root.prepend(advice);
root.append(buttons, result, download);
presetButtons(buttons, PRESETS, fields);
shareButton(buttons);
fields.setAll(readAddress());
started = true;
window.addEventListener('hashchange', () => fields.setAll(readAddress()));
