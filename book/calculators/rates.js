// Five learning-rate ranges, which condition binds, and why. Mirrors theory/learning_rate.py and range_advice.py.
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
const supremum = (form, q) => bindingOf(limitsOf(form, q)).gamma;

function whyEmpty(form, q) {
  const below = Object.fromEntries(Object.entries(RATES.remedy[form]).map(([name, f]) => [name, f(q)]));
  let steps = 0;
  while ((steps + 1) ** 2 < below.E2) steps++;
  const remedies = ['P_b below ' + general(below.y / q.B ** 2)];
  if (below.B2 > 1) remedies.push('B below ' + general(Math.sqrt(below.B2)));
  if (steps >= 1) remedies.push('E at most ' + steps);
  const need = `P_b B^2 must fall below ${general(below.y)} (now ${general(RATES.value.P(q))})`;
  return `${need}: ${remedies.join(' or ')}.` + (steps >= 1 ? '' : ' No E >= 1 helps.');
}

function whyBinding(q, name, gamma) {
  if (name === 'Theorem A') {
    const {u, alpha, n} = starLimits(q, gamma);
    return `${RATES.text.binding[name]} (there L gamma E_bar = ${general(u)}, drift and bias sqrt(alpha) = ` +
      `${general(Math.sqrt(alpha))}, noise n = ${general(n)}).`;
  }
  if (name !== 'eq:gamma_range') return RATES.text.binding[name];
  const at = {...q, gamma}, units = q.P_n ? '' : ' It does not depend on L, so it cannot be right in all units.';
  return `At this gamma rho = ${general(RATES.value.printed(at))} as printed and ` +
    `${general(RATES.value.corrected(at))} corrected (1/4 is claimed).${units}`;
}

function largestLever(form, q) {
  const ideals = {'E = 1': {...q, E: 1}, 'B = 1': {...q, B: 1}, 'P_b = 0': {...q, P_b: 0}, 'P_n = 0': {...q, P_n: 0}, 'mu = 0': {...q, mu: 0}};
  const [name, gamma] = Object.entries(ideals).map(([n, ideal]) => [n, supremum(form, ideal)])
    .reduce((best, each) => each[1] > best[1] ? each : best);
  if (!(gamma > supremum(form, q) * 1.01)) return 'No single one of E, B, P_b, P_n, mu widens it by more than 1 %.';
  return `Largest lever: ${name} would allow ${gamma === Infinity ? 'any gamma' : general(gamma)}.`;
}

function rangeOf(form, q) {
  const limit = bindingOf(limitsOf(form, q)), empty = limit.gamma <= 0, unbounded = limit.gamma === Infinity;
  const why = empty ? whyEmpty(form, q)
    : unbounded ? 'No condition limits gamma: L = 0 (affine losses) and no proximal term that matters.'
    : `${whyBinding(q, limit.name, limit.gamma)} ${largestLever(form, q)}`;
  const guarantee = empty ? 'none (the range is empty)' : RATES.text.guarantee[form].replace('{corollary}', q.E === 1 ? 1 : 2);
  return {form, gamma_max: empty || unbounded ? null : limit.gamma, empty, unbounded, strict: limit.strict,
    binding: unbounded ? 'none' : limit.name, why, guarantee, status: RATES.text.status[form]};
}

const contains = (range, gamma) => !range.empty && gamma > 0 &&
  (range.gamma_max === null || (range.strict ? gamma < range.gamma_max : gamma <= range.gamma_max));
const allRanges = q => RATES.text.order.map(form => rangeOf(form, {...q, nu: q.nu ?? 1 / q.M}));
