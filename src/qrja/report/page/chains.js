// Chains: the current from a to b taken apart, strongest chain first, as qrja.ratings.explain.chains.

const WEAKEST = 0.01;

/** What can still flow from i to j in the contests of both: [entry of i, entry of j, current]. */
function meetingsOf(q, i, j) {
  const [mine, theirs] = [entriesOf(i), entriesOf(j)];
  const found = [];
  for (let s = 0, t = 0; s < mine.length && t < theirs.length;) {
    const gap = hubs.hub[mine[s]] - hubs.hub[theirs[t]];
    if (gap < 0) s++;
    else if (gap > 0) t++;
    else found.push([mine[s], theirs[t], Math.max(Math.min(q[mine[s++]], -q[theirs[t++]]), 0)]);
  }
  return found;
}

const flowAlong = (q, i, j) => meetingsOf(q, i, j).reduce((sum, [, , flow]) => sum + flow, 0);

/** How much current can flow along a chain. */
function widthOf(q, nodes) {
  let width = Infinity;
  for (let s = 1; s < nodes.length; s++)
    width = Math.min(width, flowAlong(q, nodes[s - 1], nodes[s]));
  return width;
}

/** What can flow from i to each contestant (to i from each, if the sign is -1). */
function passedOn(q, i, sign) {
  const sum = new Float64Array(names.length);
  for (const e of entriesOf(i)) {
    const enters = Math.max(sign * q[e], 0);
    if (enters === 0) continue;
    const h = hubs.hub[e];
    for (let f = hubs.start[h]; f < hubs.start[h + 1]; f++) {
      sum[hubs.who[f]] += Math.min(enters, Math.max(-sign * q[f], 0));
    }
  }
  return sum;
}

/** The chain through the one opponent that carries most, null if there is none. */
function bestOpponent(q, a, b) {
  const [from, to] = [passedOn(q, a, 1), passedOn(q, b, -1)];
  let [best, width] = [-1, 0];
  for (let i = 0; i < names.length; i++) {
    const through = i === a || i === b ? 0 : Math.min(from[i], to[i]);
    if (through > width) [best, width] = [i, through];
  }
  return best < 0 ? null : [a, best, b];
}

/** The shortest chain whose every current is at least a level, null if there is none. */
function shortest(q, a, b, level) {
  const before = new Int32Array(names.length).fill(-1);
  const visited = new Uint8Array(hubs.count);
  const queue = [a];
  before[a] = a;
  for (let head = 0; head < queue.length && before[b] < 0; head++) {
    for (const e of entriesOf(queue[head])) {
      const h = hubs.hub[e];
      if (q[e] < level || visited[h]) continue;
      visited[h] = 1;
      for (let f = hubs.start[h]; f < hubs.start[h + 1]; f++) {
        const i = hubs.who[f];
        if (-q[f] < level || before[i] >= 0) continue;
        before[i] = queue[head];
        queue.push(i);
      }
    }
  }
  if (before[b] < 0) return null;
  const path = [b];
  while (path[0] !== a) path.unshift(before[path[0]]);
  return path;
}

/** The chain whose weakest link is strongest, by halving. */
function widest(q, a, b) {
  const levels = [...new Set(q.map(Math.abs).filter((size) => size >= 0.01 * WEAKEST))].sort(
    (s, t) => s - t,
  );
  let [low, high, best] = [0, levels.length - 1, null];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const path = shortest(q, a, b, levels[middle]);
    if (path) [low, best] = [middle + 1, path];
    else high = middle - 1;
  }
  return best;
}

/** Take a share of the current away along a chain, and say what its links were. */
function takeAway(q, nodes, share) {
  const links = [];
  for (let s = 1; s < nodes.length; s++) {
    const met = meetingsOf(q, nodes[s - 1], nodes[s]);
    const whole = met.reduce((sum, [, , flow]) => sum + flow, 0);
    let margin = 0;
    const places = [];
    let sum = 0;
    for (const [enter, leave, flow] of met) {
      const part = (flow * share) / whole;
      q[enter] -= part;
      q[leave] += part;
      margin += (part / share) * (hubs.score[enter] - hubs.score[leave]);
      if (part === 0) continue;
      places.push([part, hubs.hub[enter]]);
      sum += hubs.score[enter] - hubs.score[leave];
    }
    places.sort((s1, t1) => t1[0] - s1[0]);
    const mean = sum / places.length;
    links.push({ a: nodes[s - 1], b: nodes[s], margin, mean, hubs: places.map(([, h]) => h) });
  }
  return { share, links, total: links.reduce((sum, link) => sum + link.margin, 0) };
}

/** The strongest chains of a current. */
function strongestChains(current, a, b, most = 5) {
  const q = current.q.slice();
  const found = [];
  while (found.length < most) {
    const tries = [[a, b], bestOpponent(q, a, b), widest(q, a, b)].filter(Boolean);
    let [best, share] = [null, 0];
    for (const nodes of tries) {
      const width = widthOf(q, nodes);
      if (width > share) [best, share] = [nodes, width];
    }
    if (share < WEAKEST) break;
    found.push(takeAway(q, best, share));
  }
  return found;
}
