// FPS through a small sketch on a diagonal quadratic: where is the edge 2/L_A, and what does the run do?
// f(w) = ½Σ h_i(w_i − c_i)², h_i = i^(−1/5), so L = 1. One device, one local step, no noise.
const SIZE = 64, CURVATURE = Array.from({length: SIZE}, (_, i) => (i + 1) ** -0.2), CENTRE = Array.from({length: SIZE}, (_, i) => (i % 2 ? -1 : 1) * (i + 1) ** -0.7);

function hashFor(seed, rows, buckets) {
  let s = (seed * 7919 + 17) >>> 0;
  const next = () => {  // mulberry32
    s = (s + 0x6D2B79F5) >>> 0;
    let z = Math.imul(s ^ (s >>> 15), 1 | s);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
  return Array.from({length: rows}, () => Array.from({length: SIZE}, () => ({bucket: Math.floor(next() * buckets), sign: next() < 0.5 ? -1 : 1})));
}

const emptyTable = (rows, buckets) => Array.from({length: rows}, () => new Float64Array(buckets));
function addTo(table, hash, v) { hash.forEach((row, r) => row.forEach(({bucket, sign}, i) => { table[r][bucket] += sign * v[i]; })); }
function readFrom(table, hash, how) {
  return CURVATURE.map((_, i) => {
    const seen = hash.map((row, r) => row[i].sign * table[r][row[i].bucket]);
    if (how === 'mean') return seen.reduce((a, b) => a + b, 0) / seen.length;
    const v = seen.sort((a, b) => a - b), h = v.length >> 1;
    return v.length % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
  });
}
function keepTop(v, k) {
  const kept = new Set([...v.keys()].sort((i, j) => Math.abs(v[j]) - Math.abs(v[i]) || i - j).slice(0, k));
  return v.map((x, i) => kept.has(i) ? x : 0);
}

// L_A, the largest eigenvalue of H^(1/2) SᵀS H^(1/2)/J, by power iteration.
function sketchedSmoothness(hash, buckets) {
  let v = CURVATURE.map((_, i) => Math.sin(i + 1)), value = 0;
  for (let n = 0; n < 400; n++) {
    const table = emptyTable(hash.length, buckets);
    addTo(table, hash, v.map((x, i) => x * Math.sqrt(CURVATURE[i])));
    const next = readFrom(table, hash, 'mean').map((x, i) => x * Math.sqrt(CURVATURE[i]));
    value = Math.hypot(...next);
    v = next.map(x => x / value);
  }
  return value;
}

// f(w̃_t)/f(0) and the size of the table, for each round; stops where numbers leave all bounds.
function runThroughSketch({rows, buckets, k, gamma, how, seed}, rounds) {
  const hash = hashFor(seed, rows, buckets), table = emptyTable(rows, buckets), loss = w => w.reduce((s, x, i) => s + CURVATURE[i] * (x - CENTRE[i]) ** 2 / 2, 0);
  const first = loss(CENTRE.map(() => 0)), losses = [], sizes = [], last = [];
  let w = CENTRE.map(() => 0);
  for (let t = 0; t <= rounds && losses[losses.length - 1] !== Infinity; t++) {
    const now = loss(w) / first;
    losses.push(now < 1e60 ? now : Infinity);
    sizes.push(Math.sqrt(table.reduce((s, row) => s + row.reduce((a, x) => a + x * x, 0), 0)));
    if (t > rounds / 2) last.push(w);
    addTo(table, hash, w.map((x, i) => -gamma * CURVATURE[i] * (x - CENTRE[i])));
    w = keepTop(readFrom(table, hash, how), k);
  }
  const average = last.length ? CENTRE.map((_, i) => last.reduce((s, v) => s + v[i], 0) / last.length) : w;
  return {losses, sizes, averaged: loss(average) / first, edge: 2 / sketchedSmoothness(hash, buckets)};
}

// What became of a run: 'diverges' if its loss grows at least as that of a model that grows like t (then the last
// half is 4 times as high as the first), 'rises' if it gives back more than a tenth of what it had gained, else 'falls'.
// `unstable`: γ is beyond an edge that is exact, so that a loss that rises goes on rising.
const LOOK = 15, GROWN = 3, GIVEN_BACK = 0.1;
function fateOf(losses, unstable) {
  const end = losses[losses.length - 1], half = losses.length >> 1, mean = from => losses.slice(from, from + LOOK).reduce((a, b) => a + b, 0) / LOOK;
  if (end === Infinity || (end > 1 && Math.max(...losses.slice(half)) > GROWN * Math.max(...losses.slice(0, half)))) return 'diverges';
  const means = Array.from({length: losses.length - LOOK + 1}, (_, from) => mean(from)), lowest = Math.min(...means);
  if (lowest < 1 && means[means.length - 1] - lowest <= GIVEN_BACK * (1 - lowest)) return 'falls';
  return unstable ? 'diverges' : 'rises';
}
