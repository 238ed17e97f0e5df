// Exact arithmetic. All numbers of one run are integers over powers of one denominator Q: {n, e} is n/Q^e.
// No gcd is needed in the run itself; `ratio` turns a number into {n, d} for a final comparison.
const gcd = (a, b) => { a = a < 0n ? -a : a; b = b < 0n ? -b : b; while (b) [a, b] = [b, a % b]; return a; };

// '3/4', '0.75' or 2 as {n, d} in lowest terms.
function rational(value) {
  if (typeof value === 'object') return value;
  const [top, bottom = '1'] = String(value).split('/');
  const [whole, power = '0'] = top.toLowerCase().split('e');
  const [before, after = ''] = whole.split('.');
  let n = BigInt(before + after), d = 10n ** BigInt(after.length) * BigInt(bottom);
  if (Number(power) > 0) n *= 10n ** BigInt(power); else d *= 10n ** BigInt(-Number(power));
  const g = gcd(n, d) || 1n;
  return {n: n / g, d: d / g};
}
const plus = (a, b) => ({n: a.n * b.d + b.n * a.d, d: a.d * b.d});
const minus = (a, b) => ({n: a.n * b.d - b.n * a.d, d: a.d * b.d});
const times = (a, b) => ({n: a.n * b.n, d: a.d * b.d});
const over = (a, b) => (b.n < 0n ? {n: -a.n * b.d, d: -a.d * b.n} : {n: a.n * b.d, d: a.d * b.n});
const above = (a, b) => a.n * b.d > b.n * a.d;
const sumOf = (...all) => all.reduce(plus);
const productOf = (...all) => all.reduce(times);
const reduced = a => { const g = gcd(a.n, a.d) || 1n; return {n: a.n / g, d: a.d / g}; };

const bits = x => (x < 0n ? -x : x).toString(16).length * 4;
// log10|a|, for numbers of any length; −∞ for 0.
function size10(a) {
  if (a.n === 0n) return -Infinity;
  const part = x => { const s = BigInt(Math.max(0, bits(x) - 64)); return Math.log10(Number((x < 0n ? -x : x) >> s)) + Number(s) * Math.log10(2); };
  return part(a.n) - part(a.d);
}
const asNumber = a => Math.sign(Number(a.n > 0n) - Number(a.n < 0n)) * 10 ** size10(a);

// Four digits, of numbers of any length; `round` is `down` for a limit.
function decimalOf(a, round = general) {
  if (a.n === 0n) return '0';
  const size = size10(a), power = Math.floor(size), sign = a.n < 0n ? -1 : 1;
  if (Math.abs(power) < 300) return readable(round(sign * 10 ** size, 4));
  const mantissa = Number(round(sign * 10 ** (size - power), 4)), carried = Math.abs(mantissa) >= 10;
  return readable(carried ? `${mantissa / 10}e${power + 1}` : `${mantissa}e${power}`);
}
// Exact where that is short, else four digits.
const SHORT = 7;
function shown(a, round = general) {
  const r = reduced(a), text = r.d === 1n ? `${r.n}` : `${r.n}/${r.d}`;
  return text.length <= SHORT ? (r.d === 1n ? groupedFrom10000(Number(r.n)) : text).replace('-', '−') : decimalOf(r, round);
}

// The field of a run: every input as n/Q^1, Q the least common multiple of the denominators.
function fieldOf(inputs) {
  const Q = inputs.reduce((q, r) => q / gcd(q, r.d) * r.d, 1n), powers = [1n];
  const power = e => { while (powers.length <= e) powers.push(powers[powers.length - 1] * Q); return powers[e]; };
  const lift = (a, e) => a.n * power(e - a.e);
  return {
    of: r => ({n: r.n * (Q / r.d), e: 1}),
    zero: {n: 0n, e: 0}, one: {n: 1n, e: 0},
    add: (a, b) => { const e = Math.max(a.e, b.e); return {n: lift(a, e) + lift(b, e), e}; },
    sub: (a, b) => { const e = Math.max(a.e, b.e); return {n: lift(a, e) - lift(b, e), e}; },
    mul: (a, b) => ({n: a.n * b.n, e: a.e + b.e}),
    larger: (a, b) => { const e = Math.max(a.e, b.e), x = lift(a, e), y = lift(b, e); return (x < 0n ? -x : x) > (y < 0n ? -y : y); },
    ratio: a => ({n: a.n, d: power(a.e)}),
  };
}
