// Theorem A: the drift recursion of Lemma 2', and the condition for a finite bound. Mirrors theory/theorem_a.py.
const SLACK = 2 ** -51;  // γ = 1/μ may miss γμ = 1 by two roundings

// u = LγĒ, and the limits α of F²/t and n of N/t as t grows.
function starLimits(q, gamma) {
  const mu = q.E > 1 ? q.mu : 0;
  if (!(gamma * mu <= 1 + SLACK)) return null;
  const keep = Math.max(1 - gamma * mu, 0);
  const omega = Array.from({length: q.E}, (_, e) => keep ** (q.E - 1 - e));
  const total = omega.reduce((sum, w) => sum + w, 0);
  let S = 0, F = 0, N = 0;
  for (let e = 0; e < q.E; e++) {
    const slope = q.B + q.L * S, bias = Math.sqrt(q.P_b) * slope, noise2 = q.P_n * slope * slope;
    const share = omega[e] / total;
    if (share) { F += share * (q.L * S + bias); N += share * share * noise2; }
    const pull = (keep ? keep * S : 0) + gamma * (slope + bias);
    S = Math.sqrt(pull * pull + gamma * gamma * noise2);
  }
  return {u: q.L * gamma * total, alpha: F * F, n: q.nu * N};
}

// max over low ≤ x ≤ high of −x² + u(x+√n)² (one step: u(x²+n)).
function innerMaximum(u, rootN, low, high, singleStep) {
  const linear = singleStep ? 0 : u * rootN;
  const x = u >= 1 ? high : Math.min(Math.max(linear / (1 - u), low), high);
  return (2 * linear - (1 - u) * x) * x + u * rootN * rootN;
}

function admits(q, gamma) {
  const found = starLimits(q, gamma);
  if (!found || !(found.alpha < 1)) return false;
  const root = Math.sqrt(found.alpha);
  return 1 - found.alpha > innerMaximum(found.u, Math.sqrt(found.n), 1 - root, 1 + root, q.E === 1);
}

// Where the condition stops holding; any admissible γ is below 2/L.
function sharpSupremum(q, cap) {
  if (q.L === 0 || (cap <= 2 / q.L && admits(q, cap))) return Infinity;
  let low = 0, high = Math.min(cap, 2 / q.L);
  for (let middle = (low + high) / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (admits(q, middle)) low = middle; else high = middle;
  }
  return high;
}
