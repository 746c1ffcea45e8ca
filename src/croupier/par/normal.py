"""The normal distribution's z at the levels that sheets are printed for."""

from statistics import NormalDist

BANDS = (0.90, 0.95, 0.99)
Z = {level: NormalDist().inv_cdf((1 + level) / 2) for level in BANDS}
ONE_SIDED_99 = NormalDist().inv_cdf(0.99)
