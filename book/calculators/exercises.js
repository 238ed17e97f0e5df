// Exercises: one number to find, checked by the engines of the page. `check` returns '' or what is wrong.
const EXERCISES = {
  counterexamples: [
    {ask: 'One device, E = B = 1, no noise, γ = 1/30. Find an L at which the paper allows γ and the run on f = Lw²/2 does not come closer to 0.', name: 'L',
      check: L => { const found = judge(pullingApart({gamma: '1/30', L: String(L), E: 1, B: '1'}, 10)); return !(found.inRange && found.quarter) ? 'The paper does not allow it.' : above(energy(found.broadcast[0]), energy(found.broadcast[10])) ? 'That run comes closer: steeper.' : ''; }},
    {ask: 'Devices with curvature ±200 and B = 2 take E = 2 local steps. Find a γ that the paper allows and at which the run does not come closer to 0.', name: 'γ',
      check: g => { const found = judge(pullingApart({gamma: String(g), L: '200', E: 2, B: '2'}, 10)); return !(found.inRange && found.quarter) ? `The paper asks for γ ≤ ${shown(found.range, down)} and ρ(γ) > 1/4.` : above(energy(found.broadcast[0]), energy(found.broadcast[10])) ? 'That run comes closer: larger.' : ''; }},
  ],
  learning_rate: [
    {ask: 'L = 10, E = 4, B = 1.5, no bias. Find a certified γ within 1 % of the largest certified one.', name: 'γ',
      check: g => { const most = certifiedStep({E: 4, B: 1.5}) / 10; return g > most ? 'Not certified.' : g < 0.99 * most ? 'Certified, but more than 1 % below the largest.' : ''; }},
    {ask: 'L = 10, B = 2, γ = 0.05. What is the largest number E of local steps for which γ is certified?', name: 'E',
      check: E => { const fits = e => certifiedStep({E: e, B: 2}) >= 0.5; return !fits(E) ? 'Not certified for that many steps.' : fits(E + 1) ? 'One more step would still be certified.' : ''; }},
  ],
  advice: [
    {ask: 'Sketch of 5 rows of 8 buckets, d = k = 64, mean read-out (the second figure of chapter 1). Find an Lγ that is certified without a sketch, γ < 2/L, and at which FPS diverges.', name: 'Lγ',
      check: g => { const found = runThroughSketch({rows: 5, buckets: 8, k: 64, gamma: g, how: 'mean', seed: 1}, 400); return !(g > 0 && g < 2) ? 'Not below 2.' : found.losses.at(-1) > 1 ? '' : 'That run does not diverge: larger.'; }},
    {ask: 'Now 5 rows of 64 buckets and Lγ = 0.4. Find a k of at most 48 at which the last loss is below a tenth of the first after 150 rounds.', name: 'k',
      check: k => !(Number.isInteger(k) && k >= 1 && k <= 48) ? 'A whole number from 1 to 48.' : runThroughSketch({rows: 5, buckets: 64, k, gamma: 0.4, how: 'mean', seed: 1}, 150).losses.at(-1) < 0.1 ? '' : 'The loss ends too high: top-k throws away too much.'},
  ],
};
function askExercises(place, list) {
  list.forEach(({ask, name, check}, i) => {
    const box = document.createElement('div');
    box.className = 'fps-exercise';
    box.innerHTML = `<p><b>${i + 1}.</b> ${ask}</p><p><label>${name} = <input type="number" step="any" name="answer-${i}"></label> <button>Check</button> <span role="status"></span></p>`;
    const [input, button, answer] = ['input', 'button', 'span'].map(tag => box.querySelector(tag));
    button.addEventListener('click', () => {
      const wrong = input.value === '' ? 'Enter a number.' : check(Number(input.value));
      answer.textContent = wrong ? `✗ ${wrong}` : '✓ Right.';
      answer.className = wrong ? 'fps-unmet' : 'fps-met';
    });
    place.append(box);
  });
}
