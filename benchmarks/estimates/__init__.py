"""How good the estimates and the advised learning rates are: experiments that the packages do not need."""
