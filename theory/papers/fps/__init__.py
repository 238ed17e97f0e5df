"""Federated Proximal Sketching (FPS): one entry for every displayed line, with its place and its evidence."""
