// Calls too short to be sampled one by one: an entrant's run is many of them, and its rows say what one takes.

/** Of entrants whose run is `steps` calls. */
export const rowsOfSteps =
  (steps) =>
  ({ label }, measured, entrants) =>
    Object.entries(measured).map(([contender, { medianNs, minNs, maxNs, runs }]) => ({
      ...{ ...label, contender, verified: true },
      ...{ medianNs: medianNs / steps, minNs: minNs / steps, maxNs: maxNs / steps, runs: runs * steps },
      ...entrants[contender].facts,
    }));
