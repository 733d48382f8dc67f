// SPDX-License-Identifier: Apache-2.0
// Where channels run, in the units of the drawing.

const kLane = 0.045; // how far to the right a direction is drawn, so that both of a cable can be seen
const kMostLanes = 4;
const kBendsFrom = 1.2; // times the shortest line of the same direction: longer ones of grids are bent, so that they
// do not lead through other routers
const kPieces = 10; // straight pieces that a curve is measured by

const directionOf = (dx, dy) => Math.round(((Math.atan2(dy, dx) + Math.PI) % Math.PI) * 1000) % 3141;

/** Length of the shortest link of each direction, either way. */
function shortestLinks({ x, y, from, to }) {
  const shortest = new Map();
  for (let i = 0; i < from.length; ++i) {
    const [dx, dy] = [x[to[i]] - x[from[i]], y[to[i]] - y[from[i]]];
    const direction = directionOf(dx, dy);
    shortest.set(direction, Math.min(shortest.get(direction) ?? Infinity, Math.hypot(dx, dy)));
  }
  return shortest;
}

/**
 * Each link as a line from (ax, ay) to (bx, by), or as a quadratic curve with the control point (cx, cy) where `curved`
 * is 1. `drawing` has x, y by place, from, to by link, and bent. Parallel links lie side by side.
 */
export function linkGeometry(drawing) {
  const { x, y, from, to, bent } = drawing;
  const count = from.length;
  const shape = { count, curved: new Uint8Array(count) };
  for (const key of ['ax', 'ay', 'bx', 'by', 'cx', 'cy']) shape[key] = new Float64Array(count);
  const seen = new Map();
  const shortest = bent ? shortestLinks(drawing) : null;
  for (let i = 0; i < count; ++i) {
    const [a, b] = [from[i], to[i]];
    const between = a * x.length + b;
    const parallel = seen.get(between) ?? 0;
    seen.set(between, parallel + 1);
    const dx = x[b] - x[a];
    const dy = y[b] - y[a];
    const length = Math.hypot(dx, dy) || 1;
    // to the right of its direction, as y leads down
    const right = { x: -dy / length, y: dx / length };
    const lane = kLane * (1 + 2 * (parallel % kMostLanes));
    shape.ax[i] = x[a] + lane * right.x;
    shape.ay[i] = y[a] + lane * right.y;
    shape.bx[i] = x[b] + lane * right.x;
    shape.by[i] = y[b] + lane * right.y;
    if (!bent || length <= kBendsFrom * shortest.get(directionOf(dx, dy))) continue;
    // both directions to the same side of the picture
    const by = (a < b ? 2 : -2) * (0.3 + 0.05 * length);
    shape.curved[i] = 1;
    shape.cx[i] = (shape.ax[i] + shape.bx[i]) / 2 + by * right.x;
    shape.cy[i] = (shape.ay[i] + shape.by[i]) / 2 + by * right.y;
  }
  return shape;
}

/** A point of a link, `t` from 0 to 1. */
export function pointOf(shape, i, t) {
  const u = 1 - t;
  const [ax, ay, bx, by] = [shape.ax[i], shape.ay[i], shape.bx[i], shape.by[i]];
  if (!shape.curved[i]) return [u * ax + t * bx, u * ay + t * by];
  return [u * u * ax + 2 * u * t * shape.cx[i] + t * t * bx, u * u * ay + 2 * u * t * shape.cy[i] + t * t * by];
}

/** The box around all places and curves: a curve may leave the box of the places. */
export function boundsOf(drawing, shape) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  const include = (x, y) => {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  };
  for (let i = 0; i < drawing.x.length; ++i) include(drawing.x[i], drawing.y[i]);
  for (let i = 0; i < shape.count; ++i) {
    if (!shape.curved[i]) continue;
    for (let piece = 1; piece < kPieces; ++piece) include(...pointOf(shape, i, piece / kPieces));
  }
  return box;
}

function squaredDistance(px, py, ax, ay, bx, by) {
  const dx = bx - ax;
  const dy = by - ay;
  const along = dx * dx + dy * dy;
  const t = along > 0 ? Math.max(0, Math.min(1, ((px - ax) * dx + (py - ay) * dy) / along)) : 0;
  const ex = ax + t * dx - px;
  const ey = ay + t * dy - py;
  return ex * ex + ey * ey;
}

/** The link nearest to a point, no farther than `within`, of those that are `shown`; -1 where there is none. */
export function nearestLink(shape, px, py, within, shown) {
  let best = -1;
  let least = within * within;
  for (let i = 0; i < shape.count; ++i) {
    if (!shown(i)) continue;
    let distance = Infinity;
    if (shape.curved[i]) {
      let [ax, ay] = [shape.ax[i], shape.ay[i]];
      for (let piece = 1; piece <= kPieces; ++piece) {
        const [bx, by] = pointOf(shape, i, piece / kPieces);
        distance = Math.min(distance, squaredDistance(px, py, ax, ay, bx, by));
        [ax, ay] = [bx, by];
      }
    } else {
      distance = squaredDistance(px, py, shape.ax[i], shape.ay[i], shape.bx[i], shape.by[i]);
    }
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/** The place nearest to a point, no farther than `within`; -1 where there is none. */
export function nearestPlace(drawing, px, py, within) {
  let best = -1;
  let least = within * within;
  for (let i = 0; i < drawing.x.length; ++i) {
    const distance = (drawing.x[i] - px) ** 2 + (drawing.y[i] - py) ** 2;
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

/** Distance of the two folded groups that are nearest to each other. */
export function roomOf({ x, y, sizes }) {
  const large = Array.from(sizes ?? []).flatMap((size, i) => (size > 1 ? [i] : [])).sort((a, b) => x[a] - x[b]);
  let least = Infinity;
  for (let i = 0; i < large.length; ++i) {
    for (let j = i + 1; j < large.length && x[large[j]] - x[large[i]] < least; ++j) {
      least = Math.min(least, Math.hypot(x[large[j]] - x[large[i]], y[large[j]] - y[large[i]]));
    }
  }
  return Number.isFinite(least) ? least : 1;
}
