"""What learning rate to use. Read in this order: advise (the steps), case (the problem), curvature and limits
(what is certified, the edge), pilots and rule (which γ they support), row_pilots and device_pilots (single
rows and devices), remedies, words and shown (what is said), rivals (other algorithms), advice (the answer);
from_run starts from a recorded run.
"""
