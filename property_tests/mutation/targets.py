"""Which modules are mutated, which tests must notice, and which mutants nobody can notice."""

from __future__ import annotations

Tests = tuple[str, ...]

RUNS: Tests = ("test_reductions.py", "test_algorithm_conformance.py", "test_run_resume.py")
SKETCH: Tests = ("test_sketch_laws.py", "test_hashing.py", "test_sketch_recovery.py", "test_topk.py")
KERNELS: Tests = (*SKETCH, "test_sketch_device.py")
LEDGER: Tests = ("test_ledger.py",)
RATES: Tests = ("test_learning_rate.py", "test_bounds.py", "test_rates_cli.py", "test_rates_extremes.py")
RECHECK: Tests = ("test_provers.py", "test_ledger.py")
GUARDS: Tests = ("test_ledger_guards.py", "test_ledger.py")
SECOND: Tests = ("test_ledger_second.py", "test_ledger_engines.py")
RUN_THEORY: Tests = ("test_validation.py", "test_theorem_a.py", "test_drift.py")

TARGETS: dict[str, Tests] = {
    "fpsverify/channel.py": ("test_channel.py",),
    "fpsverify/local.py": ("test_local.py", "test_reductions.py"),
    "fpsverify/problem.py": ("test_local.py", *RUNS),
    "fpsverify/vectors.py": ("test_local.py", *RUNS),
    "fpsverify/compressor.py": RUNS,
    "fpsverify/algorithms/fps.py": RUNS,
    "fpsverify/algorithms/mission_steps.py": RUNS,
    "fpsverify/algorithms/adaptive_mu.py": ("test_adaptive_mu.py",),
    "fpsverify/algorithms/fedavg.py": ("test_baseline_oracles.py", *RUNS),
    "fpsverify/algorithms/fetchsgd.py": ("test_fetchsgd.py", *RUNS),
    "fpsverify/algorithms/sparsified.py": ("test_blcd.py", "test_baseline_oracles.py"),
    "fpsverify/algorithms/transmit.py": ("test_baseline_oracles.py", "test_algorithm_conformance.py"),
    "fpsverify/run.py": RUNS,
    "fpsverify/record.py": (*RUNS, "test_run_files.py"),
    "fpsverify/run_files.py": ("test_run_files.py",),
    "fpsverify/checkpoint.py": (*RUNS, "test_checkpoint_survey.py"),
    "fpsverify/checkpoint_survey.py": ("test_checkpoint_survey.py",),
    "fpsverify/config.py": ("test_config.py", "test_algorithm_conformance.py"),
    "fpsverify/hashing.py": KERNELS,
    "fpsverify/sketch.py": KERNELS,
    "fpsverify/kernels/compiled_loops.py": KERNELS,
    "fpsverify/kernels/numba_kernels.py": KERNELS,
    "fpsverify/kernels/torch_kernels.py": KERNELS,
    "fpsverify/kernels/torch_chunks.py": KERNELS,
    "fpsverify/kernels/median_network.py": KERNELS,
    "fpsverify/kernels/topk.py": KERNELS,
    "fpsverify/metrics.py": ("test_metrics.py",),
    "fpsverify/objectives/base.py": ("test_objectives.py",),
    "fpsverify/objectives/linear.py": ("test_objectives.py",),
    "fpsverify/objectives/mlp.py": ("test_objectives.py",),
    "fpsverify/objectives/sparse_logistic.py": ("test_sparse_logistic.py",),
    "fpsverify/data/partition.py": ("test_partition.py",),
    "fpsverify/data/synthetic.py": ("test_synthetic.py",),
    "fpsverify/data/clicks.py": ("test_clicks.py",),
    "fpsverify/data/libsvm.py": ("test_libsvm.py",),
    "fpsverify/data/idx.py": ("test_idx.py",),
    "fpsverify/data/csr.py": ("test_sparse_logistic.py", "test_libsvm.py", "test_clicks.py"),
    "fpsverify/data/csr_file.py": ("test_libsvm.py", "test_clicks.py"),
    "fpsverify/rng.py": ("test_channel.py", *RUNS),
    "fpsverify/ranks.py": ("test_ranks.py",),
    "fpsverify/round_cost.py": ("test_round_cost.py",),
    "fpsverify/reproduce/statistics.py": ("test_reproduce.py",),
    "fpsverify/reproduce/claims.py": ("test_reproduce.py",),
    "theory/rates/ranges.py": RATES,
    "theory/formulas/paper.py": RATES,
    "theory/formulas/corrected.py": RATES,
    "theory/formulas/repaired.py": RATES,
    "theory/bounds/terms.py": RATES,
    "theory/rates/parameters.py": RATES,
    "theory/rates/theorem_a.py": ("test_theorem_a.py", *RATES),
    "theory/rates/drift.py": ("test_drift.py", *RATES),
    "theory/bounds/sketch_size.py": ("test_sizing.py", "test_sketch_recovery.py", "test_rates_extremes.py"),
    "theory/provers/recheck.py": RECHECK,
    "theory/provers/replay.py": RECHECK,
    "theory/provers/smt.py": RECHECK,
    "theory/provers/certificates.py": RECHECK,
    "theory/provers/combined.py": RECHECK,
    "theory/provers/positivity.py": RECHECK,
    "theory/provers/sums_of_squares.py": RECHECK,
    "theory/ledger/judge.py": GUARDS,
    "theory/ledger/guards.py": GUARDS,
    "theory/ledger/printer.py": ("test_ledger_places.py",),
    "theory/ledger/search.py": ("test_ledger_places.py",),
    "theory/provers/kernel.py": ("test_repaired_entries.py",),
    "theory/provers/coordinates.py": GUARDS,
    "theory/provers/second_opinion.py": SECOND,
    "theory/counterexamples/second/selections.py": SECOND,
    "theory/counterexamples/second/drifts.py": SECOND,
    "theory/counterexamples/second/hashes.py": SECOND,
    "theory/counterexamples/second/algorithm1.py": SECOND,
    "theory/counterexamples/second/theorem1.py": SECOND,
    "theory/counterexamples/second/cases.py": SECOND,
    "theory/counterexamples/second/star.py": SECOND,
    "theory/units/measure.py": GUARDS,
    "theory/ledger/graph.py": ("test_ledger_graph.py",),
    "theory/paper/lemma1/proof.py": ("test_ledger_finite_tests.py", *LEDGER),
    "theory/paper/lemma2/recursion.py": LEDGER,
    "theory/paper/theorem1/rate.py": LEDGER,
    "theory/repaired/sketch.py": ("test_repaired_entries.py",),
    "theory/counterexamples/federated.py": ("test_counterexamples.py",),
    "theory/counterexamples/assumption_checks.py": ("test_counterexamples.py",),
    "benchmarks/validation/simulate.py": RUN_THEORY,
    "empirical/replicates.py": ("test_empirical_energies.py",),
    "empirical/intervals.py": ("test_empirical_intervals.py",),
    "empirical/frontier.py": ("test_empirical_energies.py", "test_empirical_choice.py"),
    "empirical/dissimilarity.py": ("test_empirical_shapes.py", "test_empirical_choice.py"),
    "empirical/powerlaw.py": ("test_empirical_shapes.py",),
    "empirical/smoothness.py": ("test_empirical_shapes.py", "test_empirical_estimate.py"),
    "empirical/residual.py": (
        "test_empirical_residual.py",
        "test_empirical_shapes.py",
        "test_empirical_estimate.py",
    ),
    "benchmarks/estimates/generated_residuals.py": (
        "test_empirical_residual.py",
        "test_empirical_intervals.py",
    ),
    "empirical/compare.py": ("test_empirical_open_ends.py", "test_empirical_estimate.py"),
    "empirical/assumptions.py": ("test_empirical_outcomes.py", "test_empirical_verdicts.py"),
    "empirical/kriging.py": ("test_empirical_unseen.py",),
    "empirical/unseen.py": ("test_empirical_unseen.py",),
    "empirical/pairs.py": ("test_empirical_choice.py",),
    "empirical/errors.py": (
        "test_empirical_verdicts.py",
        "test_empirical_choice.py",
        "test_empirical_energies.py",
    ),
    "empirical/growth.py": (
        "test_empirical_residual.py",
        "test_empirical_verdicts.py",
        "test_empirical_intervals.py",
    ),
    "empirical/kinks.py": ("test_empirical_verdicts.py",),
    "empirical/lanczos.py": ("test_empirical_shapes.py", "test_empirical_estimate.py"),
}

# Mutants that no test can tell apart, by `Mutant.key`: each with a reason that can be checked.
EQUIVALENT: dict[str, str] = {
    f"{path}: {change} in: {text}": reason
    for path, change, text, reason in (
        (
            "fpsverify/channel.py",
            "signal + noise → signal - noise",
            "return Received(signal + noise, noise_energy, snr_db, uses, active, max_power)",
            "n and −n have the same law, and nothing else is reported of n but ‖n‖²",
        ),
        (
            "fpsverify/compressor.py",
            "62 → 63",
            'spec = SketchSpec(config.rows, config.buckets, d, derive_seed(seed, "hash") % 2**62)',
            "another draw of the hash seed, as good as the first",
        ),
        (
            "fpsverify/algorithms/mission_steps.py",
            "isinstance(problem, DenseProblem) and isinstance(w_gb, Tens… → "
            "isinstance(problem, DenseProblem) or isinstance(w_gb, Tenso…",
            "assert isinstance(problem, DenseProblem) and isinstance(w_gb, Tensor)",
            "an assertion for the type checker; `check` has refused other problems before",
        ),
        (
            "fpsverify/kernels/torch_chunks.py",
            "49 → 50",
            "BITS_OF_2_MINUS_49 = 1 << FRACTION_BITS - 49",
            "any offset below the spacing of the words avoids ties",
        ),
        (
            "theory/provers/replay.py",
            "100 → 101",
            "size = Fraction(rng.choice((0, 1, 1, 2, 3, 7, 20)), rng.choice((1, 1, 2, 5, 12, 100)))",
            "one of the denominators of random test points: any would do",
        ),
    )
}
