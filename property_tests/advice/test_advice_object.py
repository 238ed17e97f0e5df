"""The advice as an object: its answer comes first and fits, and it says what each number rests on."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from empirical.advice.advice import Advice, Column, Pilot
from empirical.advice.shown import ANSWER_LINES, WIDTH, answer
from property_tests import laws

SOURCE = laws.ADVICE

rates = st.none() | st.floats(1e-12, 1e12)
words = st.text("abc de=.,", min_size=1, max_size=300).filter(lambda text: text.strip())
pilots = st.builds(
    lambda gamma, losses: Pilot(gamma, tuple(range(len(losses))), tuple(losses)),
    st.floats(1e-6, 1e6),
    st.lists(st.floats(0, 1e6), min_size=2, max_size=5),
)
columns = st.builds(Column, rates, rates)


@st.composite
def advices(draw: st.DrawFn) -> Advice:
    labels = {name: draw(words) for name in ("recommended", "guaranteed", "edge")}
    lists = [tuple(draw(st.lists(words, max_size=3))) for _ in range(2)]
    numbers = [draw(rates) for _ in range(3)]
    shown = draw(st.lists(pilots, max_size=2))
    return Advice(*numbers, labels, *lists, draw(columns), draw(columns), tuple(shown), {"d": 3})


@given(advices())
def test_the_answer_has_at_most_six_lines_of_80_columns(advice: Advice) -> None:
    assert len(answer(advice)) <= ANSWER_LINES
    assert all(len(line) <= WIDTH for line in advice.summary().splitlines())
    assert advice.summary().splitlines()[: len(answer(advice))] == answer(advice)


@given(advices())
def test_json_holds_all_of_it_in_plain_values(advice: Advice) -> None:
    stored = json.loads(json.dumps(advice.as_json(), allow_nan=False))
    for name in ("recommended", "guaranteed", "edge"):
        assert stored[name] == getattr(advice, name)
    assert stored["labels"] == advice.labels
    assert tuple(stored["change"]) == advice.change
    assert stored["at_estimates"] == vars(advice.at_estimates)
    assert advice.gamma == advice.recommended


@given(advices())
def test_every_form_shows_the_recommended_number_and_none_shows_more(advice: Advice) -> None:
    first = advice.summary().splitlines()[0]
    if advice.recommended is None:
        assert first.startswith("No learning rate")
    else:
        assert 0.999 * advice.recommended <= float(first.split()[3]) <= advice.recommended
    assert len(repr(advice)) <= 100
    assert "<table>" in advice._repr_html_()
    assert list(advice.to_frame().index) == ["recommended", "guaranteed", "edge"]
