/**
 * The time that a message of so many contiguous bytes takes one way by an MPI, in nanoseconds, by a profile's section
 * of that MPI (`stowage calibrate` under mpirun). Between two measured sizes it is on the line through both, below the
 * smallest it is that size's, beyond the largest it grows with the bytes. Undefined where no size was measured.
 */
export function messageNs(figures: Readonly<Record<string, number>> | undefined, bytes: number): number | undefined {
  const points = Object.entries(figures ?? {})
    .filter(([name]) => name.startsWith("messageNs."))
    .map(([name, ns]) => [Number(name.slice("messageNs.".length)), ns] as const)
    .sort(([a], [b]) => a - b);
  const above = points.find(([size]) => size >= bytes);
  const below = points.filter(([size]) => size <= bytes).at(-1);
  if (above === undefined && below === undefined) return undefined;
  // Beyond the largest, as its bytes take; below the smallest, as it does.
  if (above === undefined || below === undefined) {
    const [size, ns] = (above ?? below) as readonly [number, number];
    return bytes < size ? ns : (ns * bytes) / size;
  }
  if (above[0] === below[0]) return above[1];
  return below[1] + ((above[1] - below[1]) * (bytes - below[0])) / (above[0] - below[0]);
}
