"""What the estimators look at: protocol (the interface), recorded (from a run folder), run_models (losses and
gradients of its problem), replicates (gradients drawn anew).
"""
