// The sketch-size calculator in the page.
const SIZE_FIELDS = [
  {key: 'd', label: '<i>d</i> dimension', help: 'number of coordinates', low: 10, high: 1e8, value: 100000, kind: 'integer', least: 1, most: 2e9},
  {key: 'k', label: '<i>k</i> coordinates kept', help: 'coordinates read out', low: 1, high: 100000, value: 1000, kind: 'integer', least: 1},
  {key: 'c', label: '<i>c</i> accuracy: error at most ‖v‖/√(ck)', help: 'accuracy factor of the paper', low: 0.1, high: 1000, value: 4, kind: 'log', least: 0, above: true},
  {key: 'T', label: '<i>T</i> read-outs', help: 'number of read-outs', low: 1, high: 100000, value: 1000, kind: 'integer', least: 1},
  {key: 'delta', label: '<i>δ</i> chance of any wrong estimate', help: 'failure probability', low: 0.000001, high: 0.5, value: 0.01, kind: 'log', least: 0, above: true, most: 0.999},
  {key: 'p', label: '<i>p</i> power law (0: any vector)', help: 'power-law exponent; 0 for no assumption', low: 0, high: 4, value: 0, kind: 'linear', least: 0, most: 20},
  {key: 'noise', label: 'bucket noise / ‖v‖', help: 'standard deviation of the channel noise in a bucket, relative to the norm of v', low: 0.00001, high: 0.1, value: 0, kind: 'log0', least: 0},
];
function sizeRow(name, size) {
  if (!size) return `<tr><td>${name}</td><td colspan="4">impossible: the noise of a bucket alone is too large</td></tr>`;
  return `<tr data-size="${name}"><td>${name}</td><td class="fps-num"><b>${grouped(size.buckets)}</b></td><td class="fps-num">${size.rows}</td>` +
    `<td class="fps-num">${grouped(size.columns)}</td><td class="fps-num">${onPage(size.failure, 3)}</td></tr>`;
}

const sizeRoot = document.getElementById('size-calculator');
const sizeButtons = document.createElement('div'), sizeResult = document.createElement('div');
let sizeStarted = false;
const sizeFields = makeFields(sizeRoot, SIZE_FIELDS, values => {
  if (values.k > values.d) { sizeResult.textContent = 'k must be at most d.'; return; }
  if (values.p > 0 && values.p <= 0.5) { sizeResult.textContent = 'A power law helps only for p above 1/2; use 0 for any vector.'; return; }
  const found = sizing({...values, p: values.p > 0 ? values.p : null});
  const share = found.best ? 100 * found.best.buckets / values.d : null;
  const verdict = !found.best ? 'No size is enough: the noise of a bucket alone is too large.'
    : share < 100 ? `The smallest sketch has <b>${onPage(share, 3)} %</b> of the vector's size.`
    : `The smallest sketch is <b>larger than the vector itself</b> (${onPage(share / 100, 3)} times): sending the vector is cheaper.`;
  sizeResult.innerHTML = `<p>Every coordinate within <b>${onPage(found.epsilon)} ‖v‖</b>, at every read-out. ${verdict}</p><div class="fps-scroll"><table><thead><tr><th></th><th class="fps-num">buckets</th>` +
    `<th class="fps-num">rows</th><th class="fps-num">columns</th><th class="fps-num">failure of one estimate</th></tr></thead><tbody>` +
    sizeRow('fewest buckets', found.best) + found.sizes.map((size, i) => sizeRow(`${[3, 5, 7][i]} rows`, size)).join('') + '</tbody></table></div>' +
    (found.residual ? `<p>Reading the top k loses at most <b>${onPage(found.residual.repaired)} ‖v‖²</b> (Lemma 1′)${found.residual.repaired >= 1 ? ', which is all of it or more: no guarantee' : ''}. The paper's Lemma 1 prints ${onPage(found.residual.printed)}, which is refuted.</p>` : '') +
    '<p class="fps-label">The paper\'s memory formulas, the constant of O(·) read as 1</p><div class="fps-scroll"><table><tbody>' +
    Object.entries(found.printed).map(([name, v]) => `<tr><td>${name}</td><td class="fps-num">${v < 1e15 ? grouped(v) : onPage(v)}</td></tr>`).join('') + '</tbody></table></div>';
  if (sizeStarted) writeAddress(values);
});
sizeRoot.append(sizeButtons, sizeResult);
presetButtons(sizeButtons, {
  'Small network, any vector': {d: 100000, k: 1000, c: 4, T: 1000, delta: 0.01, p: 0, noise: 0},
  'Small network, power law p = 1': {d: 100000, k: 1000, c: 4, T: 1000, delta: 0.01, p: 1, noise: 0},
  'Click data, p = 1': {d: 54686452, k: 200, c: 4, T: 100, delta: 0.01, p: 1, noise: 0},
  'Noisy channel': {d: 100000, k: 100, c: 4, T: 1000, delta: 0.01, p: 1, noise: 0.01},
}, sizeFields);
shareButton(sizeButtons);
sizeFields.setAll(readAddress());
sizeStarted = true;
window.addEventListener('hashchange', () => sizeFields.setAll(readAddress()));
