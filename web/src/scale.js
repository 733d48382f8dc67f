// SPDX-License-Identifier: Apache-2.0
// Classes of values by what they are of the mean, for colours that part what is above it from what is below.

/** Between the classes: the same factors on every page, so that colours can be compared. */
export const kFactors = [1 / 3, 1 / 2, 3 / 4, 0.9, 1.1, 4 / 3, 2, 3];
/** The same for changes, in parts of the mean before. */
export const kChanges = [-1, -1 / 2, -1 / 4, -0.1, 0.1, 1 / 4, 1 / 2, 1];
export const kClasses = kFactors.length + 1;

/** Least, mean and largest of the numbers among some values, and how many those are. */
export function statistics(values) {
  let [least, most, sum, count] = [Infinity, -Infinity, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
    sum += value;
    count += 1;
  }
  return count === 0 ? { least: 0, mean: 0, most: 0, count } : { least, mean: sum / count, most, count };
}

/** {edges, classOf(value)}: classes 0 to kClasses - 1, and the values between them; the middle one holds the mean, or no change. */
export function loadScale(mean, factors = kFactors) {
  const edges = factors.map((factor) => factor * (mean || 1));
  return { edges, classOf: (value) => edges.reduce((above, edge) => above + (value > edge ? 1 : 0), 0) };
}
