// Sliders and number fields that keep one state, and put it into the address of the page.
// A field: {key, label, low, high, value, kind: 'log' | 'log0' | 'linear' | 'integer', least, help}
// 'log0' reaches 0 at the left end of the slider; the number field takes any value of at least `least`.
const STOPS = 1000;

function fromSlider(field, at) {
  const share = at / STOPS;
  if (field.kind === 'linear') return field.low + share * (field.high - field.low);
  if (field.kind === 'integer') return Math.round(field.low * (field.high / field.low) ** share);
  if (field.kind === 'log0' && at === 0) return 0;
  const value = field.low * (field.high / field.low) ** share;
  return field.whole ? Math.round(value) : Number(value.toPrecision(3));
}

function toSlider(field, value) {
  const share = field.kind === 'linear' ? (value - field.low) / (field.high - field.low)
    : value <= 0 ? 0 : Math.log(value / field.low) / Math.log(field.high / field.low);
  return Math.round(STOPS * Math.min(1, Math.max(0, share)));
}

function problemWith(field, value) {
  const whole = field.whole || field.kind === 'integer', kind = whole ? 'an integer' : 'a number', most = field.most ?? Infinity;
  const bad = !Number.isFinite(value) || value < field.least || value > most || (field.above && value === field.least)
    || (whole && !Number.isInteger(value));
  const end = most < Infinity ? ` and at most ${most}` : '', given = Number.isNaN(value) ? 'and is empty' : `not ${value}`;
  return bad ? `${field.key} must be ${kind} ${field.above ? 'above' : 'of at least'} ${field.least}${end}, ${given}.` : '';
}

// Builds the fields in `place`; calls `changed(values)` after every valid change and `cleared()` after every other.
function makeFields(place, fields, changed, cleared) {
  const grid = document.createElement('div'), message = document.createElement('div'), inputs = {};
  grid.className = 'fps-fields';
  message.className = 'fps-message';
  message.setAttribute('role', 'status');
  place.append(grid, message);
  const values = Object.fromEntries(fields.map(f => [f.key, f.value]));
  const update = () => {
    const wrong = fields.map(f => problemWith(f, values[f.key]));
    fields.forEach((f, i) => inputs[f.key].number.classList.toggle('fps-bad', Boolean(wrong[i])));
    message.textContent = wrong.filter(Boolean).join(' ');
    if (message.textContent) cleared(); else changed({...values});
  };
  const put = (f, value, quiet) => {
    values[f.key] = value;
    inputs[f.key].number.value = value;
    inputs[f.key].slider.value = toSlider(f, value);
    if (!quiet) update();
  };
  for (const f of fields) {
    const cell = document.createElement('div');
    cell.className = 'fps-field';
    cell.innerHTML = `<label title="${f.help}"><span>${f.label}</span><input type="number" step="any" name="${f.key}"></label>` +
      `<input type="range" min="0" max="${STOPS}" name="${f.key}-slider" aria-label="${f.help}">`;
    grid.append(cell);
    const [number, slider] = cell.querySelectorAll('input');
    inputs[f.key] = {number, slider};
    number.addEventListener('input', () => { values[f.key] = number.value === '' ? NaN : Number(number.value); slider.value = toSlider(f, values[f.key]); update(); });
    slider.addEventListener('input', () => put(f, fromSlider(f, Number(slider.value))));
    put(f, f.value, true);
  }
  const setAll = wanted => {
    for (const f of fields) if (f.key in wanted && wanted[f.key] !== '' && !Number.isNaN(Number(wanted[f.key]))) put(f, Number(wanted[f.key]), true);
    update();
  };
  return {setAll, values, update};
}

const readAddress = () => Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
function writeAddress(values) {
  try { history.replaceState(null, '', '#' + new URLSearchParams(values)); } catch { /* an embedded page may forbid it */ }
}

function presetButtons(place, presets, fields) {
  for (const [name, values] of Object.entries(presets)) {
    const button = document.createElement('button');
    button.textContent = name;
    button.addEventListener('click', () => fields.setAll(values));
    place.append(button);
  }
}
