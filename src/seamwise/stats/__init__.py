"""Statistics of studies: pure functions on numbers and arrays, over SciPy where it has them (``pip install "seamwise[stats]"``).

    from seamwise.stats import rate, mcnemar, clustered_mean

    rate(47, 60)                      # 78 %, with its Wilson interval; of nothing there is no rate
    mcnemar(7, 1)                     # exact, two-sided
    clustered_mean(values, clusters)  # pooled mean, interval by resampling whole clusters

Every function that draws takes a seed and gives the same numbers for it. p-values are not adjusted for how many there are; whoever prints
them says so.
"""

from seamwise.stats._cluster import Estimate, clustered_difference, clustered_mean
from seamwise.stats._paired import Paired, mcnemar, paired_counts, sign_test
from seamwise.stats._rank import RankPair, kendall, noise_floor, rank_pair, spearman, spearman_rows
from seamwise.stats._rate import Rate, rate, wilson

__all__ = [
    "Estimate",
    "Paired",
    "RankPair",
    "Rate",
    "clustered_difference",
    "clustered_mean",
    "kendall",
    "mcnemar",
    "noise_floor",
    "paired_counts",
    "rank_pair",
    "rate",
    "sign_test",
    "spearman",
    "spearman_rows",
    "wilson",
]
