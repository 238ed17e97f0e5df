// Certified steps Lγ from a grid of exact certificates: B and P_b are rounded up, so what is shown is proved.
const upIn = (grid, value) => grid.findIndex(x => x >= value * (1 - 1e-12));
function certifiedCell({E, B, P_b = 0}) {
  const i = CERTIFIED.E.indexOf(E), j = upIn(CERTIFIED.B, B), k = upIn(CERTIFIED.P_b, P_b);
  return i < 0 || j < 0 || k < 0 ? null : {i, j, k, step: CERTIFIED.step[i][j][k]};
}
const certifiedStep = q => certifiedCell(q)?.step ?? null;
