// The learning-rate calculator in the page.
const FIELDS = [
  {key: 'L', label: '<i>L</i> smoothness', help: 'smoothness of the device losses', low: 0.001, high: 1000, value: 4, kind: 'log', least: 0},
  {key: 'mu', label: '<i>μ</i> proximal weight', help: 'proximal weight', low: 0.0001, high: 100, value: 0.1, kind: 'log0', least: 0},
  {key: 'E', label: '<i>E</i> local steps', help: 'local steps per round', low: 1, high: 50, value: 5, kind: 'integer', least: 1, most: 2000},
  {key: 'B', label: '<i>B</i> dissimilarity', help: 'gradient dissimilarity of the devices', low: 1, high: 20, value: 1.3, kind: 'log', least: 1},
  {key: 'P_b', label: '<i>P<sub>b</sub></i> relative bias', help: 'relative bias', low: 0.00001, high: 1, value: 0.01, kind: 'log0', least: 0},
  {key: 'P_n', label: '<i>P<sub>n</sub></i> relative noise', help: 'relative noise', low: 0.0001, high: 100, value: 0.2, kind: 'log0', least: 0},
  {key: 'M', label: '<i>M</i> devices', help: 'number of devices with uncorrelated noise', low: 1, high: 1000, value: 10, kind: 'integer', least: 1},
  {key: 'gamma', label: '<i>γ</i> your learning rate', help: 'the learning rate you want to check', low: 0.00001, high: 10, value: 0.01, kind: 'log', least: 0, above: true},
];
const PRESETS = {
  'Example of this book': {L: 4, mu: 0.1, E: 5, B: 1.3, P_b: 0.01, P_n: 0.2, M: 10, gamma: 0.01},
  'No bias': {L: 4, mu: 0.1, E: 5, B: 1.3, P_b: 0, P_n: 0.2, M: 10, gamma: 0.01},
  'One local step, no noise': {L: 4, mu: 0, E: 1, B: 1.3, P_b: 0.01, P_n: 0, M: 10, gamma: 0.01},
  'Very different devices': {L: 4, mu: 0.1, E: 5, B: 10, P_b: 0.001, P_n: 1, M: 10, gamma: 0.01},
};

function axisOf(ranges, gamma) {
  const sizes = ranges.map(r => r.gamma_max).concat(gamma).filter(x => x !== null && x > 0).map(Math.log10);
  let low = Math.floor(Math.min(...sizes) - 0.3), high = Math.ceil(Math.max(...sizes) + 0.1);
  if (high - low < 3) low = high - 3;
  return {low, high, at: x => 100 * Math.min(1, Math.max(0, (Math.log10(x) - low) / (high - low)))};
}

function drawRange(range, axis, gamma) {
  const limit = range.empty ? 'empty' : range.unbounded ? 'any γ' : `γ ${range.strict ? '&lt;' : '≤'} ${general(range.gamma_max)}`;
  const width = range.empty ? 0 : range.unbounded ? 100 : axis.at(range.gamma_max);
  const inside = contains(range, gamma) ? 'your γ is inside' : 'your γ is outside';
  return `<div class="fps-range" data-form="${range.form}" data-inside="${contains(range, gamma)}"><div class="fps-name"><span>` +
    `${RATES.text.names[range.form]}</span><b>${limit}</b></div><div class="fps-track" title="${inside}">` +
    `<i style="width:${width}%;background:${RATES.text.colours[range.form]}"></i><u style="left:${axis.at(gamma)}%"></u></div></div>`;
}

function drawTicks(axis) {
  const powers = [], step = Math.ceil((axis.high - axis.low) / 6);
  for (let p = axis.low; p <= axis.high; p += step) powers.push(p);
  return '<div class="fps-ticks">' + powers.map(p => `<span style="left:${axis.at(10 ** p)}%">10<sup>${p}</sup></span>`).join('') + '</div>';
}

function drawWords(range, gamma) {
  const inside = contains(range, gamma) ? 'contains your γ' : 'does not contain your γ';
  return `<div class="fps-why" style="border-color:${RATES.text.colours[range.form]}" data-why="${range.form}"><b>` +
    `${RATES.text.names[range.form]}</b> (${inside}). ${onPaper(range.why)}<br><span class="fps-place">Guarantees: ` +
    `${onPaper(range.guarantee)}. Status: ${onPaper(range.status)}.</span></div>`;
}

const root = document.getElementById('rate-calculator');
let started = false;  // an address with an anchor stays as it is until something changes
const buttons = document.createElement('div'), result = document.createElement('div');
const fields = makeFields(root, FIELDS, values => {
  const ranges = allRanges(values), axis = axisOf(ranges, values.gamma);
  result.innerHTML = '<div class="fps-ranges">' + ranges.map(r => drawRange(r, axis, values.gamma)).join('') + drawTicks(axis) +
    '<div class="fps-place">learning rate γ, logarithmic; the dashed line is your γ</div></div>' + ranges.map(r => drawWords(r, values.gamma)).join('');
  if (started) writeAddress(values);
});
root.append(buttons, result);
presetButtons(buttons, PRESETS, fields);
shareButton(buttons);
fields.setAll(readAddress());
started = true;
window.addEventListener('hashchange', () => fields.setAll(readAddress()));
