// Line charts as SVG text: series in colours of the palette, logarithmic or linear axes.
const FRAME = {left: 92, right: 28, top: 12, bottom: 50};
function niceTicks(low, high, log, whole = false) {
  if (log && high - low < 2) {  // few powers of ten: 1, 2 and 5 times them
    const all = Array.from({length: 4}, (_, i) => [1, 2, 5].map(m => Math.floor(low) + i + Math.log10(m))).flat();
    return all.filter(v => v > low - 1e-9 && v < high + 1e-9);
  }
  if (log) {
    const first = Math.ceil(low - 1e-9), last = Math.floor(high + 1e-9), step = Math.max(1, Math.ceil((last - first + 1) / 6)), found = [];
    for (let p = first; p <= last; p += step) found.push(p);
    return found;
  }
  const raw = Math.max((high - low) / 5, whole ? 1 : 0), power = 10 ** Math.floor(Math.log10(raw)), step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw * (1 - 1e-9)), found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}
const powerOfTen = p => {
  const power = Math.floor(p + 1e-9), head = Math.round(10 ** (p - power));
  return p >= -2 && p < 4 ? String(Number((10 ** p).toPrecision(3))) : `${head > 1 ? `${head}·` : ''}10<tspan dy="-5" font-size="75%">${String(power).replace('-', '−')}</tspan>`;
};

// A label longer than its axis is squeezed, never clipped: letters are up to 11 px wide on a phone.
const fitTo = (label, room) => 11 * label.length > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : '';

// {series: [{name, role, dash, points: [[x, y]]}], x: {label, low, high} of rounds, y: {label, low, high, log}}; log axes take log10 values.
function plot({series, x, y, width = 640, height = 300, marks = ''}) {
  const {left, right, top, bottom} = FRAME;
  const X = v => left + (v - x.low) / (x.high - x.low) * (width - left - right), Y = v => height - bottom - (v - y.low) / (y.high - y.low) * (height - top - bottom);
  const inside = v => Math.min(y.high, Math.max(y.low, v));
  const grid = niceTicks(y.low, y.high, y.log).map(v => `<line class="fps-grid" x1="${left}" x2="${width - right}" y1="${Y(v)}" y2="${Y(v)}"/>` +
    `<text x="${left - 7}" y="${Y(v) + 5}" text-anchor="end">${y.log ? powerOfTen(v) : v}</text>`).join('');
  const ticks = niceTicks(x.low, x.high, x.log, true).map(v => `<text x="${X(v)}" y="${height - bottom + 22}" text-anchor="middle">${x.log ? powerOfTen(v) : v}</text>`).join('');
  const lines = series.map(s => `<path fill="none" style="stroke:var(--fps-${s.role})" stroke-width="2.4" stroke-dasharray="${s.dash ?? ''}" d="` +
    s.points.filter(([, v]) => Number.isFinite(v)).map(([a, v], i) => `${i ? 'L' : 'M'}${X(a).toFixed(1)},${Y(inside(v)).toFixed(1)}`).join('') + '"/>').join('');
  return `<svg class="fps-chart" viewBox="0 0 ${width} ${height}" role="img">${grid}${ticks}<path class="fps-axis" fill="none" d="M${left},${top}V${height - bottom}H${width - right}"/>` +
    `<text x="${(left + width) / 2}" y="${height - 6}" text-anchor="middle">${x.label}</text><text transform="translate(15 ${(top + height - bottom) / 2}) rotate(-90)" text-anchor="middle"${fitTo(y.label, height - top - bottom)}>${y.label}</text>${lines}${marks}</svg>`;
}
const legendOf = series => '<div class="fps-legend">' + series.filter(s => s.name).map(s => `<span><svg viewBox="0 0 40 10" aria-hidden="true"><path fill="none" style="stroke:var(--fps-${s.role})" stroke-width="2.4" stroke-dasharray="${s.dash ?? ''}" d="M0,5H40"/></svg>${s.name}</span>`).join('') + '</div>';
const span = values => {
  const usable = values.filter(Number.isFinite), low = Math.min(...usable), high = Math.max(...usable);
  return high - low < 0.6 ? {low: low - 0.5, high: high + 0.5} : {low: low - 0.05 * (high - low), high: high + 0.05 * (high - low)};
};
