// The map of the first figure: γ against L, what the paper allows, what is certified, and from where on some run fails.
const MAP = {L: [0, 4], gamma: [-4, 0.4], width: 640, height: 380};  // powers of ten
const paperLimit = ({E, B}) => (1 - 6e-6 * E * E * B * B) / (12 * (1 + 1e-6 * B * B) * E * E);
// Where ρ(γ) = 1/4, which the paper asks for as well.
function rhoLimit({E, B}) {
  const y = 1e-6 * B * B, spread = 1 + 2 / (1 + 2 * y);
  return ((1 - y * spread * E * E) / 2 - 1 / 4) / ((2 + 2 * y) * spread * E * E);
}

const within = (v, [low, high]) => Math.min(high, Math.max(low, v));
const MAP_END = {right: MAP.width - FRAME.right, bottom: MAP.height - FRAME.bottom};
const mapX = L => FRAME.left + (within(L, MAP.L) - MAP.L[0]) / (MAP.L[1] - MAP.L[0]) * (MAP_END.right - FRAME.left);
const mapY = gamma => MAP_END.bottom - (within(gamma, MAP.gamma) - MAP.gamma[0]) / (MAP.gamma[1] - MAP.gamma[0]) * (MAP_END.bottom - FRAME.top);
// log₁₀ of L and γ at a place of the map.
const placeOf = (x, y) => ({
  L: within(MAP.L[0] + (x - FRAME.left) / (MAP_END.right - FRAME.left) * (MAP.L[1] - MAP.L[0]), MAP.L),
  gamma: within(MAP.gamma[0] + (MAP_END.bottom - y) / (MAP_END.bottom - FRAME.top) * (MAP.gamma[1] - MAP.gamma[0]), MAP.gamma),
});

// log₁₀ γ of each limit, of the last two at L = 1; the paper allows what meets both of its conditions.
function levelsOf(values) {
  const flat = Math.log10(paperLimit(values)), quarter = Math.log10(rhoLimit(values));
  return {flat, quarter, allowed: Math.min(flat, quarter), certified: Math.log10(certifiedStep(values)), failing: Math.log10(impossibleStep(values))};
}
const level = gamma => `M${FRAME.left},${mapY(gamma)}H${MAP_END.right}`;
// γ = 10^start/L, as far as it lies in the map.
function falling(start) {
  const end = Math.min(MAP.L[1], start - MAP.gamma[0]);
  return `M${mapX(0)},${mapY(start)}L${mapX(end)},${mapY(start - end)}`;
}

// A label of two lines or one inside the region that is allowed and fails; null where there is no room.
const INSIDE = [['allowed, but', 'fails'], ['allowed, but fails']], LETTER = 12, LINE = 23, PAD = 8;
function labelInside({allowed, failing}) {
  const top = mapY(allowed), right = MAP_END.right - PAD, below = x => mapY(failing - placeOf(x, 0).L);
  for (const lines of INSIDE) {
    const room = Math.min(...lines.map((line, i) => below(right - LETTER * line.length) - (i + 1) * LINE)) - top;
    if (room >= PAD) return {lines, x: right, y: top + room / 2};
  }
  return null;
}
const insideText = label => label === null ? '' : label.lines.map((line, i) => `<text class="fps-inside" x="${label.x}" y="${label.y + LINE * i + 17}" text-anchor="end">${line}</text>`).join('');

// The lines of the map, as drawn and as `legendOf` names them.
const limitsOfMap = (values, {flat, quarter, certified, failing}) => [
  {name: `paper, eq. (11): γ ≤ ${downOnPage(paperLimit(values), 3)}, for any L`, role: 'paper', path: level(flat)},
  {name: `paper, ρ(γ) &gt; ¼: γ &lt; ${downOnPage(rhoLimit(values), 3)}`, role: 'paper', dash: '3 4', path: level(quarter)},
  {name: 'certified', role: 'safe', path: falling(certified)},
  {name: 'from here up some run fails', role: 'neutral', dash: '6 6', path: falling(failing)},
];

function drawMap(values) {
  const levels = levelsOf(values), {allowed, certified, failing} = levels, limits = limitsOfMap(values, levels), {bottom, right} = MAP_END;
  const crossing = failing - allowed, end = Math.min(MAP.L[1], failing - MAP.gamma[0]);
  const wrong = crossing < MAP.L[1] ? `<path class="fps-wrong" d="M${mapX(crossing)},${mapY(allowed)}H${right}V${mapY(failing - MAP.L[1])}H${mapX(end)}Z"/>` : '';
  const marks = `<path class="fps-certified" d="${falling(certified)}V${bottom}H${FRAME.left}Z"/><path class="fps-papers" d="${level(allowed)}V${bottom}H${FRAME.left}Z"/>${wrong}` +
    limits.map(l => `<path class="fps-limit" style="stroke:var(--fps-${l.role})" stroke-dasharray="${l.dash ?? ''}" d="${l.path}"/>`).join('') +
    `${insideText(labelInside(levels))}<circle class="fps-dot" cx="${mapX(Math.log10(values.L))}" cy="${mapY(Math.log10(values.gamma))}" r="9"/>`;
  const frame = plot({series: [], x: {label: 'smoothness L', low: MAP.L[0], high: MAP.L[1], log: true}, y: {label: 'learning rate γ', low: MAP.gamma[0], high: MAP.gamma[1], log: true}, width: MAP.width, height: MAP.height, marks});
  return frame.replace('class="fps-chart"', 'class="fps-chart fps-hero-map"') + legendOf(limits);
}
