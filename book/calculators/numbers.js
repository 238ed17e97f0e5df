// Numbers as Python's format(x, ".4g") prints them, and as one writes them on paper.
const general = (x, digits = 4) => {
  if (x === Infinity) return 'inf';
  if (x === 0) return '0';
  const [mantissa, power] = x.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= digits) {
    const size = Math.abs(exponent);
    return trim(mantissa) + 'e' + (exponent < 0 ? '-' : '+') + (size < 10 ? '0' : '') + size;
  }
  return trim(x.toFixed(digits - 1 - exponent));
};
// A whole number in groups of three digits: 49,800.
const grouped = x => Math.round(x).toString().replace(/\B(?=(\d{3})+$)/g, ',');
const groupedFrom10000 = x => Math.abs(x) < 1e4 ? String(x) : grouped(x);
// The same as on paper: 1000, 49,800, −0.5, 3.2·10⁻⁷. Below 10⁵ all digits are written out.
function readable(text) {
  if (text === 'inf') return '∞';
  const [, sign, mantissa, power] = /^(-?)([^e]+)(?:e(.+))?$/.exec(text), minus = sign ? '−' : '', exponent = Number(power ?? 0);
  if (power === undefined) return minus + mantissa;
  if (exponent >= 0 && exponent < 5) return minus + groupedFrom10000(Number(`${mantissa}e${exponent}`));
  return `${minus}${mantissa === '1' ? '' : `${mantissa}·`}10<sup>${exponent < 0 ? '−' : ''}${Math.abs(exponent)}</sup>`;
}
const onPage = (x, digits = 4) => readable(general(x, digits));
const downOnPage = (x, digits = 4) => readable(down(x, digits));
const trim = text => text.includes('.') ? text.replace(/\.?0+$/, '') : text;

// A decimal of so many digits that is not above x: for limits. Works on the shortest decimal that reads back as x.
function down(x, digits = 4) {
  if (!Number.isFinite(x) || x === 0) return general(x, digits);
  const [mantissa, power] = x.toExponential().split('e'), cut = mantissa.replace(/^(-?\d(?:\.\d*)?)$/, m => m.slice(0, digits + 1 + (m.startsWith('-') ? 1 : 0)));
  const short = Number(`${cut}e${power}`);
  return general(x > 0 || short === x ? short : -Number(`${(Math.abs(Number(cut)) + 10 ** (1 - digits)).toFixed(digits - 1)}e${power}`), digits);
}
