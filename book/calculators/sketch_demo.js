// A count sketch to play with: change coordinates, see the buckets, read the estimates and the top k.
const D = 16, DEMO_FIELDS = [
  {key: 'rows', label: 'rows', help: 'number of rows', low: 1, high: 7, value: 3, kind: 'linear', least: 1, most: 7},
  {key: 'buckets', label: 'buckets per row', help: 'buckets in one row', low: 2, high: 16, value: 6, kind: 'linear', least: 2, most: 16},
  {key: 'k', label: '<i>k</i> coordinates read out', help: 'coordinates read out', low: 1, high: 16, value: 3, kind: 'linear', least: 1, most: 16},
  {key: 'noise', label: 'channel noise (std)', help: 'standard deviation of the noise in a bucket', low: 0, high: 2, value: 0, kind: 'linear', least: 0, most: 5},
];
const COLOUR = v => v >= 0 ? 'var(--fps-plus)' : 'var(--fps-minus)';
const state = {seed: 1, x: [0, 0, 5, 0, 0.4, -0.3, 0, 0, 0, -4, 0, 0.5, 0, 0, 2.5, 0], picked: 2};

function generator(seed) {  // mulberry32: small, seedable, good enough for a picture
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6D2B79F5) >>> 0;
    let z = Math.imul(s ^ (s >>> 15), 1 | s);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 4294967296;
  };
}

function hashOf(seed, rows, buckets) {
  const next = generator(seed * 7919 + 17);
  return Array.from({length: rows}, () => Array.from({length: D}, () => ({bucket: Math.floor(next() * buckets), sign: next() < 0.5 ? -1 : 1})));
}

function gaussian(next) { return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()); }

function sketchOf(x, hash, buckets, noise, seed) {
  const next = generator(seed * 104729 + 3);
  const table = hash.map(() => Array.from({length: buckets}, () => noise * gaussian(next)));
  hash.forEach((row, r) => row.forEach(({bucket, sign}, i) => { table[r][bucket] += sign * x[i]; }));
  return table;
}

function median(values) {
  const v = [...values].sort((a, b) => a - b), h = v.length >> 1;
  return v.length % 2 ? v[h] : (v[h - 1] + v[h]) / 2;
}
const readOut = (table, hash) => Array.from({length: D}, (_, i) => median(hash.map((row, r) => row[i].sign * table[r][row[i].bucket])));
function topK(values, k) {  // by size; of equal sizes the lower index; never a zero
  return new Set([...values.keys()].filter(i => values[i] !== 0).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]) || a - b).slice(0, k));
}
