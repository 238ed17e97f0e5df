// The learning-rate calculator in the page.
const FIELDS = [
  {key: 'L', label: '<i>L</i> smoothness', help: 'smoothness of the losses: the largest curvature', low: 0.001, high: 1000, value: 4, kind: 'log', least: 0, above: true},
  {key: 'E', label: '<i>E</i> local steps', help: 'local steps in a round', low: 1, high: 20, value: 5, kind: 'integer', least: 1, most: 2000},
  {key: 'B', label: '<i>B</i> unlike devices (1: alike)', help: 'how unlike the devices are', low: 1, high: 10, value: 1.25, kind: 'log', least: 1},
  {key: 'm', label: 'numbers sent a round (0: no sketch)', help: 'size of the fresh sketch, one row', low: 1, high: 1000000, value: 0, kind: 'log0', least: 0, most: 1000000000, whole: true},
  {key: 'trace', label: 'tr(<i>H</i>)/<i>L</i>, for a sketch', help: 'trace of the curvature over its largest eigenvalue', low: 1, high: 100000, value: 40, kind: 'log', least: 1},
  {key: 'gamma', label: '<i>γ</i> your learning rate', help: 'the learning rate that you want to check', low: 0.00001, high: 10, value: 0.01, kind: 'log', least: 0, above: true},
];
const PRESETS = {
  'Five local steps': {L: 4, E: 5, B: 1.25, m: 0, trace: 40, gamma: 0.01},
  'Very different devices': {L: 4, E: 5, B: 10, m: 0, trace: 40, gamma: 0.01},
  'A fresh sketch': {L: 4, E: 1, B: 1.25, m: 100, trace: 40, gamma: 0.3},
  'Steep loss': {L: 100, E: 1, B: 1, m: 0, trace: 40, gamma: 0.05},
};
const rangesAt = q => [
  {form: 'certified', role: 'safe', name: 'certified, no sketch', limit: certifiedRate(q), absent: 'not in the table of this page'},
  {form: 'fresh', role: 'proved', name: 'certified, fresh sketch', limit: freshRate(q), absent: q.m > 0 ? 'E ≥ 2: by the command line' : 'no sketch'},
  {form: 'paper', role: 'paper', name: 'the paper, eq. (11)', limit: paperRate(q)},
];

function axisOf(limits) {
  const sizes = limits.filter(x => x !== null && x > 0).map(Math.log10);
  let low = Math.floor(Math.min(...sizes) - 0.3), high = Math.ceil(Math.max(...sizes) + 0.1);
  if (high - low < 3) low = high - 3;
  return {low, high, at: x => 100 * Math.min(1, Math.max(0, (Math.log10(x) - low) / (high - low)))};
}

function drawRange({form, role, name, limit, absent}, axis, q) {
  const never = form === 'certified' ? impossibleRate(q) : null, inside = limit !== null && q.gamma <= limit;
  return `<div class="fps-range" data-form="${form}" data-inside="${inside}"><div class="fps-name"><span>${name}</span><b>${limit === null ? absent : `γ ≤ ${downOnPage(limit)}`}</b></div>` +
    `<div class="fps-track"><i style="width:${limit === null ? 0 : axis.at(limit)}%;background:var(--fps-${role})"></i>` +
    `${never === null ? '' : `<s style="left:${axis.at(never)}%" title="impossible from γ = ${onPage(never)}"></s>`}<u style="left:${axis.at(q.gamma)}%"></u></div></div>`;
}

function drawTicks({low, high, at}) {
  const step = Math.ceil((high - low) / 6), powers = Array.from({length: Math.floor((high - low) / step) + 1}, (_, i) => low + i * step);
  return '<div class="fps-ticks">' + powers.map(p => `<span style="left:${at(10 ** p)}%">10<sup>${String(p).replace('-', '−')}</sup></span>`).join('') + '</div>';
}

const root = document.getElementById('rate-calculator'), verdict = document.createElement('p'), result = document.createElement('div'), buttons = document.createElement('div');
verdict.className = 'fps-lead';
let started = false;  // an address with an anchor stays as it is until something changes
const fields = makeFields(root, FIELDS, q => {
  const ranges = rangesAt(q), axis = axisOf([...ranges.map(r => r.limit), impossibleRate(q), q.gamma]);
  verdict.innerHTML = sentenceFor(q);
  result.innerHTML = '<div class="fps-ranges">' + ranges.map(r => drawRange(r, axis, q)).join('') + drawTicks(axis) +
    '<div class="fps-place">Learning rate γ, logarithmic. Dashed: your γ. Hatched: impossible without a sketch.</div></div>';
  if (started) writeAddress(q);
}, () => { verdict.innerHTML = result.innerHTML = ''; });
root.prepend(verdict);
root.append(buttons, result);
presetButtons(buttons, PRESETS, fields);
fields.setAll(readAddress());
started = true;
window.addEventListener('hashchange', () => fields.setAll(readAddress()));
