// Evidence: one unit of current from a to b through the results, exactly as qrja.ratings.explain.currents.
//
// Least squares is an electrical network. With potentials L v = e_a - e_b, entrant i of a contest
// of k takes in q_i = w k (v_i - mean v), and x_a - x_b is the sum of q_i s_i over all entries.

const conductance = hubs.weight.map((w, h) => {
  const k = hubs.start[h + 1] - hubs.start[h];
  return k > 1 ? w * k : 0;
});

/** For every entry, c_h (v_i - mean of v in its hub). */
function spreadOut(v, q) {
  for (let h = 0; h < hubs.count; h++) {
    const [from, to, c] = [hubs.start[h], hubs.start[h + 1], conductance[h]];
    let mean = 0;
    for (let e = from; e < to; e++) mean += v[hubs.who[e]];
    mean /= to - from;
    for (let e = from; e < to; e++) q[e] = c * (v[hubs.who[e]] - mean);
  }
  return q;
}

/** The potentials of one unit of current from a to b, by preconditioned conjugate gradients. */
function potentials(a, b, q) {
  const n = names.length;
  const diagonal = new Float64Array(n);
  for (let e = 0; e < hubs.who.length; e++) {
    const h = hubs.hub[e];
    diagonal[hubs.who[e]] += conductance[h] * (1 - 1 / (hubs.start[h + 1] - hubs.start[h]));
  }
  const product = (v) => {
    const sum = new Float64Array(n);
    spreadOut(v, q).forEach((current, e) => (sum[hubs.who[e]] += current));
    return sum;
  };
  const dot = (s, t) => s.reduce((sum, value, i) => sum + value * t[i], 0);
  const precondition = (r) => r.map((value, i) => (diagonal[i] > 0 ? value / diagonal[i] : 0));
  const v = new Float64Array(n);
  const r = new Float64Array(n);
  [r[a], r[b]] = [1, -1];
  let z = precondition(r);
  let p = z.slice();
  let rz = dot(r, z);
  const enough = 1e-26 * rz;
  for (let step = 0; step < 4000 && rz > enough; step++) {
    const lp = product(p);
    const alpha = rz / dot(p, lp);
    for (let i = 0; i < n; i++) {
      v[i] += alpha * p[i];
      r[i] -= alpha * lp[i];
    }
    z = precondition(r);
    const next = dot(r, z);
    for (let i = 0; i < n; i++) p[i] = z[i] + (next / rz) * p[i];
    rz = next;
  }
  return v;
}

/** The current from a to b: into each entry's hub, and what each hub adds to the difference. */
function currentBetween(a, b) {
  const q = new Float64Array(hubs.who.length);
  const v = potentials(a, b, q);
  spreadOut(v, q);
  const parts = [];
  for (let h = 0; h < hubs.count; h++) {
    let [part, share] = [0, 0];
    for (let e = hubs.start[h]; e < hubs.start[h + 1]; e++) {
      part += q[e] * hubs.score[e];
      share += Math.max(q[e], 0);
    }
    if (share > 1e-9) parts.push({ hub: h, amount: part, share });
  }
  parts.sort((s, t) => Math.abs(t.amount) - Math.abs(s.amount));
  return {
    q,
    parts,
    resistance: v[a] - v[b],
    total: parts.reduce((sum, one) => sum + one.amount, 0),
  };
}
