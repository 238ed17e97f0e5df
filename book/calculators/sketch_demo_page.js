// Drawing of the count sketch demo.
const WIDE = 640, STEP = WIDE / D;
function drawVector(values, y, height, name, classOf, top) {
  const zero = y + 22 + height / 2;
  return `<text x="0" y="${y + 14}">${name}</text><line x1="0" x2="${WIDE}" y1="${zero}" y2="${zero}" stroke="currentColor" stroke-opacity=".5"/>` +
    values.map((v, i) => {
      const size = height / 2 * Math.abs(v) / top;
      return `<g data-coordinate="${i}" style="cursor:pointer"><rect x="${i * STEP}" y="${y + 20}" width="${STEP}" height="${height + 4}" fill="currentColor" ` +
        `fill-opacity="${i === state.picked ? 0.09 : 0}"/><rect x="${i * STEP + 4}" width="${STEP - 8}" y="${v >= 0 ? zero - size : zero}" height="${size}" ` +
        `style="fill:${classOf(i) ? COLOUR(v) : 'var(--fps-neutral)'}"><title>coordinate ${i}: ${v.toFixed(2)}</title></rect></g>`;
    }).join('');
}

function drawTable(table, hash, y, cell) {
  const top = Math.max(1, ...table.flat().map(Math.abs)), width = WIDE / table[0].length;
  return `<text x="0" y="${y + 14}">the sketch; frames: where coordinate ${state.picked} went, and its sign</text>` +
    table.map((row, r) => row.map((v, b) => {
      const place = hash[r][state.picked], mine = place.bucket === b;
      return `<rect x="${b * width + 2}" y="${y + 22 + r * (cell + 3)}" width="${width - 4}" height="${cell}" style="fill:${COLOUR(v)}" fill-opacity="${Math.min(1, Math.abs(v) / top)}" ` +
        `stroke="currentColor" stroke-width="${mine ? 3 : 1}" stroke-opacity="${mine ? 1 : 0.25}"><title>row ${r}, bucket ${b}: ${v.toFixed(2)}</title></rect>` +
        `<text class="fps-sign" x="${b * width + width / 2}" y="${y + 22 + r * (cell + 3) + cell / 2 + 5}" text-anchor="middle">${mine ? (place.sign > 0 ? '+' : '−') : ''}</text>`;
    }).join('')).join('');
}

const demo = document.getElementById('sketch-demo');
demo.classList.add('fps-demo');
const controls = document.createElement('div'), canvas = document.createElement('div'), sentence = document.createElement('p');
let latest = null;
function redraw() {
  const {rows, buckets, k, noise} = latest, hash = hashOf(state.seed, rows, buckets);
  const table = sketchOf(state.x, hash, buckets, noise, state.seed), found = readOut(table, hash), chosen = topK(found, k);
  const top = Math.max(1, ...state.x.map(Math.abs), ...found.map(Math.abs)), tall = 22 + rows * 29 + 14;
  canvas.innerHTML = `<svg viewBox="0 -8 ${WIDE} ${258 + tall}" role="img" aria-label="count sketch">` +
    drawVector(state.x, 0, 84, 'the vector (click a coordinate)', () => true, top) + drawTable(table, hash, 122, 26) +
    drawVector(found, 122 + tall, 84, `estimates (medians); coloured: the top ${k}`, i => chosen.has(i), top) + '</svg>';
  const error = Math.sqrt(state.x.reduce((s, v, i) => s + (v - (chosen.has(i) ? found[i] : 0)) ** 2, 0)), size = Math.hypot(...state.x);
  const best = Math.sqrt(state.x.map(v => v * v).sort((a, b) => b - a).slice(k).reduce((s, v) => s + v, 0));
  sentence.innerHTML = `Coordinate ${state.picked} is ${state.x[state.picked].toFixed(2)}; the sketch says <b data-estimate>${found[state.picked].toFixed(2)}</b>. ` +
    `The read-out loses <b>${(100 * error / size).toFixed(0)} %</b> of the vector's length; the best ${k} coordinates would lose ${(100 * best / size).toFixed(0)} %.`;
  canvas.querySelectorAll('[data-coordinate]').forEach(g => g.addEventListener('click', () => { state.picked = Number(g.dataset.coordinate); redraw(); }));
}
const round = v => ({...v, rows: Math.round(v.rows), buckets: Math.round(v.buckets), k: Math.round(v.k)});
const demoFields = makeFields(demo, DEMO_FIELDS, values => { latest = round(values); redraw(); });
for (const [name, act] of Object.entries({
  'New hash': () => { state.seed += 1; },
  'Picked coordinate + 1': () => { state.x[state.picked] += 1; },
  'Picked coordinate − 1': () => { state.x[state.picked] -= 1; },
})) {
  const button = document.createElement('button');
  button.textContent = name;
  button.addEventListener('click', () => { act(); redraw(); });
  controls.append(button);
}
demo.append(controls, canvas, sentence);
demoFields.update();
