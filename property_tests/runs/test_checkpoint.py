"""A checkpoint that is gone, damaged or foreign is named in one line; the record and the rest stay usable."""

import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empirical.observed import recorded
from fpsverify.cli import main
from fpsverify.errors import FpsError
from fpsverify.runs import checkpoint
from fpsverify.runs.averaged import Average
from fpsverify.runs.checkpoint import due, survey
from fpsverify.runs.loop import run
from property_tests.support.small_runs import finished_and_copy, record_of, small

CONFIG = small("rounds=14", "record.checkpoint_every=4")
ROUNDS = [0, 4, 8, 12, 14]


whole, folder = finished_and_copy(CONFIG)


def gone(path):
    path.unlink()


def cut(path):
    path.write_bytes(path.read_bytes()[:-1])


def foreign(path):
    found = checkpoint.load(path)
    checkpoint.save(path.parents[1], found.t, "0", Average(), found.tensors)


def renamed(path):
    shutil.copy(path.with_name("round-00000000.safetensors"), path)


DAMAGE = {
    gone: "is missing",
    cut: "is unreadable (",
    foreign: "is of another config",
    renamed: "is of round 0",
}


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 30))
def test_what_is_due_is_what_a_run_keeps(rounds, every, done):
    config = small(f"rounds={rounds}", f"record.checkpoint_every={every}")
    last = min(done, rounds)
    kept = {t for t in range(last + 1) if t % every == 0 or t == rounds}
    assert due(config, last) == kept
    assert due(small("record.keep_checkpoints=last"), 6) == set()


def test_a_run_as_it_was_left_has_no_flaw_and_resumes_without_a_word(folder, capsys):
    found = survey(folder, CONFIG, 14)
    assert list(found.good) == ROUNDS and found.flaws == ()
    assert main(["run", "--resume", "--out", str(folder), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("t", [8, 14])
def test_resume_names_the_flawed_checkpoint_and_leaves_the_same_record(damage, t, whole, folder, capsys):
    """Of a middle round it is not needed; of the last one the rounds before it are run again."""
    damage(checkpoint.path_of(folder, t))
    assert main(["run", "--resume", "--out", str(folder), "--quiet"]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith(
        f"fpsverify: {folder / 'checkpoints'}: {checkpoint.path_of(folder, t).name} {DAMAGE[damage]}"
    )
    assert f"the run goes on after round {14 if t == 8 else 12}" in err
    assert t == 8 or survey(folder, CONFIG, 14).flaws == ()
    assert record_of(folder) == record_of(whole)


def looks(evidence):
    return [(it.t, it.w.tolist()) for it in evidence.iterates]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda f: f.__name__)
@pytest.mark.parametrize("t", [4, 14])
def test_evidence_without_a_flawed_checkpoint_sees_the_same_rounds_and_notes_it(damage, t, whole, folder):
    """The rounds that it began are run again from the checkpoint before, bit for bit."""
    damage(checkpoint.path_of(folder, t))
    found = recorded.evidence(folder)
    assert looks(found) == looks(recorded.evidence(whole)) and found.T == 14
    assert [flaw.round for flaw in found.left_out] == [t]
    note = f"checkpoints: {checkpoint.path_of(folder, t).name} {DAMAGE[damage]}"
    assert any(each.startswith(note) and "run again" in each for each in found.notes)
    assert recorded.evidence(folder, replay=True).left_out == ()


def test_checkpoints_too_far_apart_are_refused_before_any_data_is_loaded(folder, monkeypatch):
    monkeypatch.setattr(recorded, "prepare", lambda *a, **k: pytest.fail("the data was loaded"))
    monkeypatch.setattr(recorded, "MOST_STEPS", 0)
    for t in ROUNDS[1:]:
        checkpoint.path_of(folder, t).unlink()
    with pytest.raises(FpsError, match="1 checkpoint.*round-00000004.safetensors is missing.*or --replay"):
        recorded.evidence(folder)


def test_files_that_no_run_wrote_are_named_and_not_used(whole, folder, capsys):
    one = checkpoint.path_of(folder, 8)
    for name in ("round-x.safetensors", "round-8.safetensors", "round-00000099.safetensors"):
        shutil.copy(one, one.with_name(name))
    found = survey(folder, CONFIG, 14)
    assert sorted(found.good) == ROUNDS
    assert {flaw.file: flaw.round for flaw in found.flaws} == {
        "round-00000099.safetensors": 99,
        "round-8.safetensors": None,
        "round-x.safetensors": None,
    }
    assert looks(recorded.evidence(folder)) == looks(recorded.evidence(whole))
    assert main(["run", "--resume", "--out", str(folder), "--quiet"]) == 0
    assert "round-x.safetensors is not a checkpoint's name" in capsys.readouterr().err


def test_a_flipped_bit_is_noticed_and_the_run_goes_on_from_the_checkpoint_before(whole, folder):
    path = checkpoint.path_of(folder, 14)
    path.write_bytes(path.read_bytes()[:-1] + bytes([path.read_bytes()[-1] ^ 1]))
    with pytest.raises(FpsError, match="bytes were changed"):
        recorded.evidence(folder)
    run(None, folder, resume=True)
    assert record_of(folder) == record_of(whole) and checkpoint.load(path).t == 14
