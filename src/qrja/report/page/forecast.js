// Forecasts: what a start list will do, by integration over a grid, as qrja.ratings.predict.prediction.

const NODES = [-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526];
const WEIGHTS = [0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538];

/** The normal distribution function (Abramowitz and Stegun 26.2.17; error below 1e-7). */
function normalBelow(u) {
  const t = 1 / (1 + 0.2316419 * Math.abs(u));
  const series =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp(-0.5 * u * u) / Math.sqrt(2 * Math.PI)) * series;
  return u > 0 ? 1 - tail : tail;
}

/** The Student distribution function for whole degrees of freedom (same, 26.7.3 and 26.7.4). */
function studentBelow(u, tail) {
  const angle = Math.atan(u / Math.sqrt(tail));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const odd = tail % 2 === 1;
  let [term, sum] = [odd ? cosine : 1, odd ? cosine : 1];
  for (let k = odd ? 3 : 2; k < tail; k += 2) {
    term *= ((k - 1) / k) * cosine * cosine;
    sum += term;
  }
  const inside = odd ? (2 / Math.PI) * (angle + sine * (tail > 1 ? sum : 0)) : sine * sum;
  return 0.5 * (1 + inside);
}

/** Expected results, spreads, chances to win, expected places, and who beats whom. */
function forecast(who) {
  const { noise } = report;
  const x = who.map((i) => board.rating[i]);
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const least = 1e-9 * (Math.max(...x) - Math.min(...x)) + 1e-290;
  const expected = who.map((i, s) => {
    const share = noise.share[i];
    return (noise.slope_known * (1 - share) + noise.slope_once * share) * (x[s] - mean);
  });
  const spread = who.map((i) =>
    Math.max(Math.sqrt(noise.result + noise.rating * noise.share[i]), least),
  );
  const tail = noise.tail;
  const unit = tail === null ? 1 : Math.sqrt(tail / (tail - 2));
  const [z, cell] = grid(expected, spread, tail);
  const below = who.map((_, s) =>
    z.map((at) => {
      const u = ((at - expected[s]) / spread[s]) * unit;
      return tail === null ? normalBelow(u) : studentBelow(u, tail);
    }),
  );
  const density = who.map((_, s) => {
    const values = z.map((at, g) => {
      const u = ((at - expected[s]) / spread[s]) * unit;
      const power = tail === null ? -0.5 * u * u : -0.5 * (tail + 1) * Math.log1p((u * u) / tail);
      return Math.exp(power) * cell[g];
    });
    const whole = values.reduce((sum, value) => sum + value, 0);
    return values.map((value) => value / whole);
  });
  const won = who.map((_, s) =>
    who.map((__, t) => density[s].reduce((sum, d, g) => sum + d * below[t][g], 0)),
  );
  const beats = who.map((_, s) => who.map((__, t) => 0.5 * (won[s][t] + 1 - won[t][s])));
  const win = who.map((_, s) =>
    density[s].reduce(
      (sum, d, g) => sum + d * below.reduce((all, f, t) => (t === s ? all : all * f[g]), 1),
      0,
    ),
  );
  const place = who.map((_, s) => 0.5 + who.reduce((sum, __, t) => sum + beats[t][s], 0));
  return { expected, spread, win, place, beats };
}

/** Points and cells: panels as short as the nearest entrant needs, four points in each. */
function grid(expected, spread, tail) {
  const far = Math.max(...spread) * (tail === null ? 9 : 1e4);
  const last = Math.max(...expected) + far;
  const [points, cells] = [[], []];
  for (let at = Math.min(...expected) - far; at < last;) {
    const step = 0.4 * Math.min(...spread.map((sd, s) => Math.hypot(sd, at - expected[s])));
    NODES.forEach((node, k) => {
      points.push(at + 0.5 * step * (1 + node));
      cells.push(0.5 * step * WEIGHTS[k]);
    });
    at += step;
  }
  return [points, cells];
}
