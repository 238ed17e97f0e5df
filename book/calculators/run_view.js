// One exact run: left and right side of Theorem 1 as the run gets longer, and what the theorem asks of γ.
function sidesChart(found) {
  const log = found.rounds.length > 20, of = key => found.rounds.map((r, t) => [log ? Math.log10(t + 1) : t + 1, r[key].n > 0n ? size10(r[key]) : -Infinity]);
  const series = [{name: 'what the run gives: mean of ‖∇f(w<sub>t</sub>)‖²', role: 'fps', points: of('left')},
    {name: 'what Theorem 1 allows', role: 'paper', dash: '7 4', points: of('right')}];
  const y = span(series.flatMap(s => s.points.map(p => p[1])));
  return plot({series, x: {label: 'rounds T + 1', low: log ? 0 : 1, high: log ? Math.log10(found.rounds.length) : Math.max(2, found.rounds.length), log}, y: {label: 'mean squared gradient', ...y, log: true}}) + legendOf(series);
}

const tick = (met, words) => `<li class="${met ? 'fps-met' : 'fps-unmet'}">${met ? '✓' : '✗'} ${words}</li>`;
function judgementOf(found, run) {
  const allowed = found.inRange && found.quarter;
  const verdict = !found.broken ? (allowed ? 'The bound holds here.' : 'The bound holds here, and the paper does not allow this γ.')
    : allowed ? '<b>The paper allows this γ, and its bound is false.</b>' : 'The bound is false here, but the paper does not allow this γ.';
  const factor = found.right.n > 0n ? `${decimalOf(over(found.left, found.right))} times the bound` : 'the bound is negative';
  return `<p class="fps-sides" data-broken="${found.broken}" data-allowed="${allowed}">After ${run.T} rounds the left side of Theorem 1 is <b data-left>${shown(found.left)}</b>, its right side <b data-right>${shown(found.right)}</b> (${factor}). ${verdict}</p>` +
    `<ul class="fps-checks">${tick(found.inRange, `γ is in the paper's range, eq. (11): γ ≤ ${found.range.n > 0n ? shown(found.range, down) : 'nothing: the range is empty'}`)}` +
    `${tick(found.quarter, `ρ(γ) = ${shown(found.rho)} is above 1/4`)}${tick(found.appendix, 'the two step-size conditions that only the appendix states')}</ul>`;
}

// A run with sliders for γ and L; `place` is filled.
function runWidget(place, run) {
  const view = document.createElement('div'), start = {gamma: asNumber(rational(run.gamma)), L: asNumber(rational(run.L))};
  const field = (key, label, help) => ({key, label, help, low: start[key] / 20, high: start[key] * 20, value: Number(start[key].toPrecision(3)), kind: 'log', least: 0, above: true});
  let touched = false;
  const show = (gamma, L) => {
    const now = changed(run, gamma, L), found = judge(now);
    view.innerHTML = sidesChart(found) + judgementOf(found, now);
    place.dispatchEvent(new CustomEvent('judged', {detail: {found, gamma, L}}));
  };
  const fields = makeFields(place, [field('gamma', '<i>γ</i> learning rate', 'learning rate'), field('L', '<i>L</i> smoothness', 'smoothness; all curvatures grow with it')],
    v => touched ? show(String(v.gamma), String(v.L)) : show(run.gamma, run.L), () => { view.innerHTML = ''; });
  const back = document.createElement('button');
  back.textContent = 'Back to the counterexample';
  back.addEventListener('click', () => { touched = false; fields.setAll(start); });
  place.addEventListener('input', () => { touched = true; }, true);
  place.append(back, view);
  touched = false;
  show(run.gamma, run.L);
}
