// Five learning-rate ranges and which condition binds. Mirrors theory/rates/ranges.py.
function limitOf(condition, q) {
  const upper = condition.upper(q), {name, strict} = condition;
  if (upper <= 0) return {name, strict, gamma: Math.min(upper, 0)};
  const slope = condition.slope(q);
  return {name, strict, gamma: slope === 0 ? Infinity : upper / slope};
}

function limitsOf(form, q) {
  if (form !== 'repaired_sharp') return RATES.forms[form][q.E === 1 ? 'one' : 'more'].map(c => limitOf(c, q));
  const slack = 1 - RATES.value.P(q);
  if (slack <= 0) return [{name: 'P_b B^2 < 1', strict: true, gamma: slack}];
  if (q.E === 1) return [limitOf(RATES.value.noise(q) < slack ? RATES.sharp.small : RATES.sharp.large, q)];
  const a4 = limitOf(RATES.sharp.a4, q);
  return [{name: 'Theorem A', strict: true, gamma: sharpSupremum(q, a4.gamma)}, a4];
}

function bindingOf(limits) {
  return limits.reduce((best, l) => l.gamma < best.gamma || (l.gamma === best.gamma && l.strict && !best.strict) ? l : best);
}

function rangeOf(form, q) {
  const limit = bindingOf(limitsOf(form, q)), empty = limit.gamma <= 0, unbounded = limit.gamma === Infinity;
  return {form, gamma_max: empty || unbounded ? null : limit.gamma, empty, unbounded, strict: limit.strict,
    binding: unbounded ? 'none' : limit.name, status: RATES.text.status[form]};
}

const contains = (range, gamma) => !range.empty && gamma > 0 &&
  (range.gamma_max === null || (range.strict ? gamma < range.gamma_max : gamma <= range.gamma_max));
const allRanges = q => RATES.text.order.map(form => rangeOf(form, {...q, nu: q.nu ?? 1 / q.M}));

// The largest certified γ, from the grid of exact certificates; null where the grid has no answer.
function certifiedRate(q) {
  const plain = q.P_n === 0 && (q.mu === 0 || q.E === 1), step = plain && q.L > 0 ? certifiedStep(q) : null;
  return step === null ? null : step / q.L * (1 - 2 ** -50);
}
// Theorem C: convex losses, no bias; γ < 2/(L(1 + P_n)) for every E and B.
const convexRate = q => q.P_b === 0 && (q.mu === 0 || q.E === 1) && q.L > 0 ? 2 / (q.L * (1 + q.P_n)) : null;
// The sketch's edge: exact at E = 1 for quadratics with the mean and k = d. For E ≥ 2 a lower limit on convex ones,
// as `coarse_edge` has it in Python: 1 − (1 − x)^E ≤ Ex holds only while no local step overshoots (x ≤ 2).
const noOvershoot = q => 2 / (q.L + q.mu);
const sketchRate = q => q.L_A > 0 ? q.E === 1 ? 2 / q.L_A : Math.min(2 / (q.E * q.L_A), noOvershoot(q)) : null;

// What to use: the certified rate, or Theorem A's where none is in the grid; with a sketch half of the smaller of that
// rate and its edge.
function adviceFor(q) {
  const sharp = rangeOf('repaired_sharp', {...q, nu: q.nu ?? 1 / q.M}), certified = certifiedRate(q), edge = sketchRate(q);
  const theorem = (sharp.gamma_max ?? 0) * (1 - 1e-6);  // its end is open
  const proved = Math.max(certified ?? 0, theorem), source = certified !== null && certified >= theorem ? 'certified' : 'Theorem A';
  if (sharp.empty) return {gamma: null, source: 'none'};
  return edge === null ? {gamma: proved, source} : {gamma: Math.min(proved, edge) / 2, source, proved, edge};
}
