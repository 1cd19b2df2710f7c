"""Games of a series on many machines, through Dask's `distributed`.

See decision 24. `chunks` says which games are asked for at once and by what key, `worker` is what another machine does
with that, `holding` brings it the rules, `driver` asks, and hands on what comes in the order of the games. Nobody needs
`distributed`, or waits for its import, before a cluster is asked for.
"""

__all__ = ["BadCluster"]


class BadCluster(Exception):
    """It cannot be used, or not any more; the sentence says why, and what to do."""
