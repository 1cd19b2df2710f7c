"""Games of a series on many machines, through Dask's `distributed`.

See decision 24. `chunks` says which games are asked for at once and by what key, `worker` is what another machine does
with that, `driver` asks, and hands on what comes in the order of the games. Nobody needs `distributed` before a cluster
is asked for.
"""
