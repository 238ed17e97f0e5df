"""FedProx (Li et al., MLSys 2020): Sections 4.1, 4.2 and 5.3.3, and Appendix A, line by line."""
