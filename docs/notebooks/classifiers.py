# %% [markdown]
# # Ranking classifiers over data sets
#
# Four time-series classifiers were run on up to 142 data sets, but not each on all of them: a data
# set is a contest, an accuracy a score. Averages of accuracies compare classifiers that did not sit
# the same exam.

# %%
import numpy as np

import qrja

runs = qrja.datasets.classifiers()
print(runs)
for name, sets in zip(runs.names, qrja.fit(runs).appearances.tolist(), strict=True):
    print(f"{name:13} on {sets} data sets")

# %% [markdown]
# ## Mean accuracy misleads
#
# WEASEL-2.0 ran on 30 data sets that nobody else was run on. Whether these are easy or hard enters
# its mean, and has nothing to do with how it compares.

# %%
ratings = qrja.fit(runs)
mean = qrja.rankers.make_ranker("mean")
for data_set in runs:
    mean.learn(data_set)
levels = mean.scores(np.arange(runs.n))
for row in ratings.leaderboard():
    i = runs.names.index(row.contestant)
    print(
        f"{row.rank}. {row.contestant:13} rating {row.rating:+.4f}   mean accuracy {levels[i]:.4f}"
    )

# %% [markdown]
# By its mean, WEASEL-2.0 is hardly better than FreshPRINCE. On the data sets that they shared it is
# as good as InceptionTime: the 30 others were hard. A rating difference is the difference in
# accuracy to expect on the same data set.
#
# ## Is the order settled?
#
# Data sets are drawn again, with replacement.

# %%
intervals = ratings.intervals(resamples=500, seed=0)
print("may be first:", intervals.tied_for_first())
for a, b in (("HC2", "InceptionTime"), ("InceptionTime", "WEASEL-2.0")):
    low, high = intervals.difference(a, b)
    print(f"{a} - {b}: {low:+.4f} to {high:+.4f}")

# %% [markdown]
# HC2 is ahead for certain; the next two cannot be told apart.
#
# ## A freak data set
#
# With p = 1 a data set on which one method breaks down counts by how far it is off, not by the
# square of that. Does it change the order?

# %%
for p in (1, 1.5, 2):
    print(p, [row.contestant for row in qrja.fit(runs, p=p).leaderboard()])
surprise = next(it for it in ratings.trust().findings if it.kind == "surprises")
print(surprise.sentence)

# %% [markdown]
# ## Which loss predicts a new data set best?

# %%
result = qrja.backtest(runs, ["qrja-l1", "qrja-p1.5", "qrja-l2", "mean", "borda"])
print(result.verdict.sentence)

# %% [markdown]
# ## Whom to compare next?
#
# With few runs left to pay for, compare the pair that makes the ranking most certain. After 112
# data sets in common, one more teaches little.

# %%
print(ratings.suggest(2))
