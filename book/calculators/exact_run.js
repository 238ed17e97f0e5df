// Algorithm 1 on quadratics, in exact arithmetic; then both sides of Theorem 1 as printed.
// A run: {devices: [{share, a: [...], z: [...]}], w0, gamma, mu, E, k, persistent, shrink, noise, T, W, c, P_b, P_n, B,
//         b2, sigma2, p, favour, delta}; numbers are texts such as '1/36'. The device loss is ½Σ a_i(w_i − z_i)²,
//         or ½a_1⟨w − z, onto(w − z)⟩ with the matrix `onto` of a projection; `shrink` is the share of the gradient that a bias takes away; `noise` is ζ per round.
const NO_NUMBERS = new Set(['devices', 'w0', 'noise', 'name', 'qualification']);

function inputsOf(run) {
  const vectors = [run.w0, ...run.devices.flatMap(d => [d.a, d.z, ...(d.onto ?? [])]), ...(run.noise ? [run.noise] : [])];
  return [...vectors.flat(), ...run.devices.map(d => d.share), run.gamma, run.mu, run.shrink ?? '0'].map(rational);
}

function topOf(w, k, F) {  // the k largest; of equal ones the lower index
  const order = [...w.keys()].sort((i, j) => F.larger(w[j], w[i]) ? 1 : F.larger(w[i], w[j]) ? -1 : i - j);
  const kept = new Set(order.slice(0, k));
  return w.map((x, i) => kept.has(i) ? x : F.zero);
}

// The broadcasts w_0 … w_T, what they were before top-k, ‖∇f(w_t)‖² of both, and ‖w‖² of these and of every local model.
function play(run) {
  const F = fieldOf(inputsOf(run)), put = v => v.map(x => F.of(rational(x)));
  const devices = run.devices.map(d => ({share: F.of(rational(d.share)), a: put(d.a), z: put(d.z), onto: d.onto?.map(put)}));
  const gamma = F.of(rational(run.gamma)), mu = F.of(rational(run.mu)), keep = F.sub(F.one, F.of(rational(run.shrink ?? '0')));
  const dot = (v, w) => v.reduce((sum, x, i) => F.add(sum, F.mul(x, w[i])), F.zero);
  const slope = (d, w) => {
    const away = w.map((x, i) => F.sub(x, d.z[i]));
    return d.onto ? d.onto.map(row => F.mul(d.a[0], dot(row, away))) : away.map((x, i) => F.mul(d.a[i], x));
  };
  const gradient = w => devices.map(d => slope(d, w).map(g => F.mul(d.share, g))).reduce((v, u) => v.map((x, i) => F.add(x, u[i])));
  const square = v => v.reduce((sum, x) => F.add(sum, F.mul(x, x)), F.zero);
  const local = (d, x, noise) => {
    let w = x;
    for (let e = 0; e < run.E; e++) {
      const exact = slope(d, w).map((g, i) => F.add(g, F.mul(mu, F.sub(w[i], x[i]))));
      w = w.map((v, i) => F.sub(v, F.mul(gamma, F.add(F.mul(keep, exact[i]), noise))));
      energies.push(F.ratio(square(w)));
    }
    return w;
  };
  let held = put(run.w0), x = topOf(held, run.k, F);
  const broadcast = [x], before = [held], energies = [F.ratio(square(x)), F.ratio(square(held))];
  for (let t = 0; t < run.T; t++) {
    const noise = run.noise ? F.of(rational(run.noise[t])) : F.zero;
    const ends = devices.map(d => local(d, x, noise));
    const update = x.map((v, i) => devices.reduce((sum, d, m) => F.add(sum, F.mul(d.share, F.sub(ends[m][i], v))), F.zero));
    held = update.map((u, i) => F.add(run.persistent ? held[i] : x[i], u));
    x = topOf(held, run.k, F);
    broadcast.push(x);
    before.push(held);
    energies.push(F.ratio(square(x)), F.ratio(square(held)));
  }
  const ratios = points => points.map(w => w.map(F.ratio)), squares = points => points.map(w => F.ratio(square(gradient(w))));
  return {F, broadcast: ratios(broadcast), before: ratios(before), energies, squares: squares(broadcast), squaresBefore: squares(before)};
}

const energy = w => w.map(x => times(x, x)).reduce(plus);
const largest = (values, start) => values.reduce((best, v) => above(v, best) ? v : best, start);

// f(w) − f(w*), coordinate by coordinate: mean curvature times squared distance to the minimiser. Along one direction
// there is one device, and the square of the vector is that of its projection.
function gapAt(run, w) {
  const [{a, z, onto}] = run.devices;
  if (onto) {
    const away = w.map((x, i) => minus(x, rational(z[i])));
    return productOf(rational(a[0]), rational('1/2'), onto.flatMap((row, i) => row.map((h, j) => productOf(rational(h), away[i], away[j]))).reduce(plus));
  }
  return w.map((x, i) => {
    const parts = run.devices.map(d => [rational(d.share), rational(d.a[i]), rational(d.z[i])]);
    const total = parts.map(([s, a]) => times(s, a)).reduce(plus), weighted = parts.map(([s, a, z]) => productOf(s, a, z)).reduce(plus);
    const apart = minus(x, over(weighted, total));
    return productOf(total, apart, apart, rational('1/2'));
  }).reduce(plus);
}

// The constants of the paper in the letters of its page 6: x = P_n B², y = P_b B².
function printed(run) {
  const q = Object.fromEntries(Object.entries(run).filter(([key]) => !NO_NUMBERS.has(key)).map(([key, v]) => [key, typeof v === 'boolean' ? v : rational(v)]));
  const B2 = times(q.B, q.B), y = times(q.P_b, B2), x = times(q.P_n, B2), one = rational(1), two = rational(2), E2 = times(q.E, q.E);
  const slope = plus(q.L, q.mu), A = plus(one, times(two, plus(x, y))), spread = plus(one, over(two, A));
  const range = over(minus(one, productOf(rational(6), y, E2)), productOf(rational(12), E2, sumOf(one, y, times(plus(slope, one), x))));
  const rho = minus(over(minus(one, productOf(y, spread, E2)), two), productOf(q.gamma, sumOf(two, times(two, y), times(plus(times(two, slope), one), x)), spread, E2));
  return {...q, B2, x, y, one, two, E2, slope, A, range, rho};
}

// Left and right side at each T, and what the theorem asks of γ.
function judge(run) {
  const q = printed(run), played = play(run), gap = largest([played.before[0]].map(w => gapAt(run, w)), gapAt(run, played.broadcast[0]));
  const W = largest(played.energies, q.W), power = 2n * q.p.n - 1n;
  const tail = over(minus(over(q.one, {n: (q.k.n + 1n) ** power, d: 1n}), over(q.one, {n: q.d.n ** power, d: 1n})), {n: power, d: 1n});
  const coefficient = plus(over(q.one, q.c), run.favour && tail.n < 0n ? rational(0) : tail);
  const noiseless = [times(coefficient, productOf(q.slope, q.slope, W)),
    productOf(q.two, q.E2, sumOf(q.one, times(q.two, q.y), times(q.gamma, sumOf(rational(3), q.slope, times(q.two, q.y), times(q.two, q.x)))), q.b2),
    productOf(q.two, q.E2, plus(q.one, productOf(q.gamma, plus(q.slope, q.one), sumOf(rational(3), times(q.two, q.y), times(q.two, q.x)))), q.sigma2)];
  const rest = reduced(noiseless.reduce(plus)), rounds = [];
  const F = played.F, both = [played.squares, played.squaresBefore].map(running);
  for (let t = 0; t <= run.T; t++) {
    const count = rational(t + 1), [here, there] = both.map(sums => over(sums[t], count));
    rounds.push({left: above(here, there) ? there : here, right: plus(over(gap, times(q.gamma, count)), rest)});
  }
  const last = rounds[run.T], inRange = q.range.n > 0n && !above(q.gamma, q.range), quarter = above(q.rho, rational('1/4'));
  const appendix = !above(productOf(q.two, q.gamma, q.slope), q.one) && !above(productOf(rational(4), q.E, q.gamma, q.slope, q.A), q.one);
  return {...played, rounds, left: reduced(last.left), right: reduced(last.right), W, range: reduced(q.range), rho: reduced(q.rho),
    inRange, quarter, appendix, broken: above(last.left, last.right), F};
}

function running(values) {
  let sum = {n: 0n, d: 1n};
  return values.map(v => { sum = v.d % sum.d === 0n ? {n: sum.n * (v.d / sum.d) + v.n, d: v.d} : plus(sum, v); return sum; });
}

// Another γ or L: the curvatures grow in proportion to L.
function changed(run, gamma, L) {
  const factor = over(rational(L), rational(run.L)), text = r => `${r.n}/${r.d}`;
  const steeper = v => v.map(x => text(reduced(times(rational(x), factor))));
  return {...run, gamma: String(gamma), L: String(L), devices: run.devices.map(d => ({...d, a: steeper(d.a)}))};
}
