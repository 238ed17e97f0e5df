// How large must a count sketch be? Mirrors theory/bounds/sketch_size.py.
const MOST_ROWS = 201;

// τ_s²/‖v‖² at most, for every s worth trying; without a power law only s = 0.
function headsOf(d, p) {
  if (p === null) return [[0, 1]];
  const grid = new Set();
  for (let s = 0; s <= 64; s++) grid.add(Math.min(d, s));
  for (let j = 44; j < 330; j++) grid.add(Math.min(d, Math.floor(1.1 ** j)));
  return [...grid].sort((a, b) => a - b).map(s => [s, s >= d ? 0 : s === 0 ? 1 : Math.min(1, SIZES.tail({k: s, d, p}))]);
}

function rowFailure(columns, demand) {
  let least = 1;
  for (const [s, t2] of demand.heads) least = Math.min(least, SIZES.row_failure({s, K: columns, tau2: t2, noise2: demand.noise2, error: demand.epsilon}));
  return least;
}

// P(Bin(n, p) ≥ h), summed from its largest term downwards in size; beyond p = 1/2 that is the other side's tail.
function binomialTail(n, h, p) {
  if (p > 0.5) return 1 - binomialTail(n, n - h + 1, 1 - p);
  if (p === 0) return 0;
  let log = h * Math.log(p) + (n - h) * Math.log1p(-p);
  for (let i = 1; i <= h; i++) log += Math.log((n - h + i) / i);
  let term = Math.exp(log), sum = term;
  for (let i = h; i < n; i++) { term *= (n - i) / (i + 1) * p / (1 - p); sum += term; }
  return Math.min(1, sum);
}

const medianFailure = (rows, q) => binomialTail(rows, Math.floor((rows + 1) / 2), q);

const coordinateFailure = (rows, columns, demand) => medianFailure(rows, rowFailure(columns, demand));

function columnsNeeded(rows, demand) {
  let high = 1;
  while (coordinateFailure(rows, high, demand) > demand.allowed) {
    high *= 2;
    if (high > 2 ** 52) return null;
  }
  let low = Math.floor(high / 2);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (coordinateFailure(rows, middle, demand) <= demand.allowed) high = middle; else low = middle;
  }
  return {rows, columns: high, buckets: rows * high, failure: coordinateFailure(rows, high, demand)};
}

function smallestSize(demand) {
  let best = null;
  for (let rows = 1; rows <= MOST_ROWS; rows += 2) {
    const size = columnsNeeded(rows, demand);
    if (size && (!best || size.buckets < best.buckets)) best = size;
  }
  return best;
}

// {k, d, T, delta, c, p or null, noise}: ε² = 1/(ck), noise relative to ‖v‖.
function demandOf({k, d, T, delta, c, p, noise}) {
  return {k, d, T, delta, c, p, noise2: noise ** 2, epsilon: 1 / Math.sqrt(c * k), heads: headsOf(d, p), allowed: delta / (d * T)};
}

function printedMemory({k, d, T, delta, c, p, epsilon}) {
  const found = {'Lemma 1: c k log(dT/δ)': SIZES.lemma1({c, k, d, T, delta})};
  if (p === null) return found;
  const law = {k, d, T, delta, eps: epsilon, tail2: k >= d ? 0 : Math.min(1, SIZES.tail({k, d, p})), g_k: k ** -p};
  found['Theorem 2'] = SIZES.theorem2(law);
  found['Section 3.2 as printed, ‖g‖ = 1'] = SIZES.section32({...law, scale: 1});
  found['Section 3.2 as printed, ‖g‖ = 1000'] = SIZES.section32({...law, scale: 1000});
  found['Section 3.2 corrected'] = SIZES.section32_corrected(law);
  return found;
}

function sizing(input) {
  const demand = demandOf(input);
  return {best: smallestSize(demand), sizes: [3, 5, 7].map(rows => columnsNeeded(rows, demand)), printed: printedMemory(demand),
    epsilon: demand.epsilon, allowed: demand.allowed,
    residual: demand.p === null ? null : {repaired: SIZES.repaired({...demand, W: 1}), printed: SIZES.printed({...demand, W: 1})}};
}
