from theory.papers.fps.letters import *  # noqa: F403  # a forwarder until every branch has moved
