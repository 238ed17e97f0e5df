// The learning rates of the page, for G = b = σ = 0 and all devices: certified without a sketch and with a fresh one,
// impossible, and the paper's own. Certified steps Lγ come from a grid of exact certificates: B is rounded up, so that
// what is shown is proved; for the impossible ones it is rounded down. E is never rounded.
const HASH_VALUES = 2 ** 30, ROUNDING = 2 ** -50;

function certifiedRate({L, E, B}) {
  const i = CERTIFIED.E.indexOf(E), j = CERTIFIED.B.findIndex(x => x >= B * (1 - 1e-12));
  return i < 0 || j < 0 ? null : CERTIFIED.step[i][j] / L * (1 - ROUNDING);
}

function impossibleRate({L, E, B}) {
  const i = CERTIFIED.E.indexOf(E), j = CERTIFIED.B.findLastIndex(x => x <= B * (1 + 1e-12));
  const found = i < 0 || j < 0 ? null : CERTIFIED.impossible[i][j];
  return found === null ? null : found / L * (1 + ROUNDING);
}

// ω_L / L of m numbers in one row; two weights share a bucket with probability p.
function price({m, trace}) {
  const left = HASH_VALUES % m, p = 1 / m + left * (m - left) / (m * HASH_VALUES ** 2);
  return p * (1 + trace);
}
// Theorem S at one local step: γ < 2/(L + ω_L), in the mean over hashes.
const freshRate = q => q.m > 0 && q.E === 1 ? 2 / (q.L * (1 + price(q))) * (1 - ROUNDING) : null;
const paperRate = ({L, E, B}) => PAPERS_LIMIT({L, E, B, P_b: 0, P_n: 0, mu: 0});

const multipleOf = (x, y) => `${onPage(x / y, x < 100 * y ? 2 : 3)} times`;
function command(q) {
  const sketch = q.m > 0 ? ` --sketch 1x${q.m} --d D --trace ${general(q.trace * q.L)}` : '';
  return `<code>fpsverify lr --L ${general(q.L)} --E ${q.E} --B ${general(q.B)}${sketch}</code>`;
}

// What the page says: which γ is proved, and how yours compares.
function sentenceFor(q) {
  const proved = q.m > 0 ? freshRate(q) : certifiedRate(q), where = q.m > 0 ? 'in the mean over hashes' : 'without a sketch';
  if (proved === null) return `<b>Not on this page</b>: run ${command(q)}.`;
  const inside = q.gamma <= Number(down(proved)), impossible = q.m > 0 ? null : impossibleRate(q);
  const never = impossible !== null && q.gamma >= impossible ? 'Some loss with these constants never improves at it.' : 'A proof covers the worst loss; yours may be gentler. Test it with <code>fps.advise</code>.';
  const papers = !inside && q.gamma <= paperRate(q) ? ' <b>The paper would allow it.</b>' : '';
  return `<b>Proved: γ ≤ <span data-advice>${downOnPage(proved)}</span></b> ${where}. ` +
    (inside ? `Your γ is inside. Near the end of the range the bound is weak: ${command(q)} prints it, and the best rate.` : `Your γ is ${multipleOf(q.gamma, proved)} that. ${never}${papers}`);
}
