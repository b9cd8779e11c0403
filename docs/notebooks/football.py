# %% [markdown]
# # A season of football
#
# The Spanish league of 2016/17, 380 matches of 20 teams: who was best, how sure is that, and could
# it have been predicted? The matches are part of the embedded football set.

# %%
import qrja

matches = qrja.datasets.football()
together = matches.components  # teams that are joined by matches: a league
spain = [c for c, who in enumerate(matches.who[matches.start[:-1]]) if together[who] == 0]
season = matches[spain[-380:]]
print(season, season.labels[0], season.labels[-1], sep="\n")

# %% [markdown]
# ## The table, in goals
#
# A rating is in goals: a difference of two is the margin to expect. Points for wins, draws and
# losses are not used; how much a team won by is.

# %%
ratings = qrja.fit(season)
table = ratings.table(kind="dict")
for i in range(6):
    name, rating = table["contestant"][i], table["rating"][i]
    low, high = table["rank_low"][i], table["rank_high"][i]
    print(f"{table['rank'][i]}. {name:14} {rating:+.3f}   ranks {low} to {high}")

# %% [markdown]
# In this season every team met every other twice, and then a rating is simply the mean goal
# difference, times 19/20. That is a check that anybody can do:

# %%
goals = {str(name): 0.0 for name in season.names}
for match in season:
    margin = match.score[0] - match.score[1]
    goals[str(season.names[match.who[0]])] += margin
    goals[str(season.names[match.who[1]])] -= margin
means = {name: total / 40 for name, total in goals.items()}
x = dict(zip(map(str, season.names), ratings.solution.x.tolist(), strict=True))
print(max(abs(x[name] - means[name]) for name in means) < 1e-9)

# %% [markdown]
# ## After ten rounds
#
# Not everybody has met everybody yet, and the mean goal difference depends on the opponents.
# Ratings take them into account.

# %%
early = season[:100]
then = qrja.fit(early)
for row in then.leaderboard()[:3]:
    print(f"{row.rank}. {row.contestant:14} {row.rating:+.2f}")
print(then.explain("Barcelona", "R. Madrid", chains=2))

# %% [markdown]
# ## Who wins next?
#
# Probabilities rest on how far results strayed from earlier predictions, not on a constant.

# %%
prediction = ratings.predict(["Barcelona", "Valencia"])
low, high = prediction.margin_interval("Barcelona", "Valencia", level=0.8)
print(f"Barcelona wins with {prediction.probability('Barcelona', 'Valencia'):.0%},")
print(f"by {prediction.margin('Barcelona', 'Valencia'):.1f} goals, from {low:+.1f} to {high:+.1f}")

# %% [markdown]
# ## Which method to trust?
#
# Every match is predicted from those before it. 380 matches are few: of the leads, the verdict says
# which are more than chance.

# %%
result = qrja.backtest(season, ["qrja-l2", "mean", "elo", "borda", "median"])
for name in result.runs:
    accuracy = result.value(name, "ordinal_accuracy")
    print(f"{name:8} {accuracy:.3f} ± {result.standard_error(name, 'ordinal_accuracy'):.3f}")
print(result.verdict.sentence)

# %% [markdown]
# ## How far to trust it
#
# Football is noisy: most of a single result is not strength.

# %%
print(ratings.trust().verdict)
