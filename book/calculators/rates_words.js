// What the learning-rate calculator says: which γ is proved, by what, and how yours compares.
const multiple = x => onPage(x, x < 100 ? 2 : 3);
const PROVED = {
  certified: 'proved by an exact certificate for every loss with these constants, if G = b = σ = 0, otherwise down to a floor that they set; no sketch',
  'Theorem A': 'proved by Theorem A; no sketch',
};
const RATE = {certified: 'the certified rate', 'Theorem A': 'the rate of Theorem A'};
const NOT_SURE = 'a measured rule, not a theorem, and not always safe; chapter 11 says how often';
const NO_FAILURE = 'That is no failure: a proof covers the worst loss, and yours may be gentler (chapter 11). Test it with <code>fps.advise</code>.';
const WITH_A_SKETCH = 'With a sketch this is no advice: ask <code>fps.advise</code>.';
const PILOTS = 'Only pilots can tell whether your loss tolerates it: test it with <code>fps.advise</code>.';

// At one local step the edge of the sketch is exact, for quadratics read by the mean with k = d.
const beyondExactEdge = q => q.E === 1 && q.L_A > 0 && q.gamma > sketchRate(q);
const besideEdge = q => q.gamma > sketchRate(q) ? `${multiple(q.gamma / sketchRate(q))} times the edge of the sketch` : 'below the edge of the sketch';
function comparison(q, advice, half) {
  if (q.gamma <= Number(down(advice.gamma))) return half ? 'Your γ is not larger.' : 'Your γ is inside.';
  const ratio = `Your γ is ${multiple(q.gamma / advice.gamma)} times ${half ? 'that' : 'the largest proved one'}.`;
  if (beyondExactEdge(q)) return `${ratio} <b>It is beyond the edge of the sketch</b>: on a quadratic, read by the mean with k = d, the run diverges.`;
  if (q.L_A > 0) return `${ratio} It is ${besideEdge(q)}. ${PILOTS}`;
  return `${ratio} ${NO_FAILURE}`;
}

function sentenceFor(q) {
  const advice = adviceFor(q), paper = rangeOf('paper', q);
  if (advice.gamma === null) return '<b>No learning rate is proved</b>: the bias can undo the whole step (P<sub>b</sub>B² ≥ 1). Lower the bias.';
  const half = q.L_A > 0, lead = half ? 'Start pilots at γ =' : 'Proved: γ ≤';
  const about = half ? `half of the smaller of ${RATE[advice.source]}, ${downOnPage(advice.proved)}, and the edge of the sketch, ${downOnPage(advice.edge)}: ${NOT_SURE}` : PROVED[advice.source];
  const papers = paper.empty ? 'The paper allows nothing here.' : contains(paper, q.gamma) && q.gamma > advice.gamma ? '<b>The paper would allow it.</b>' : '';
  return `<b>${lead} <span data-advice>${downOnPage(advice.gamma)}</span></b> (${about}). ${half ? '' : WITH_A_SKETCH} ${comparison(q, advice, half)} ${papers}`;
}
