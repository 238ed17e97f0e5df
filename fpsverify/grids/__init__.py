"""Many runs: a store that survives being killed, places to run, statistics over seeds."""
