import { level, BY_COPIES } from "./level.js";
import { loadedDame, requireLoaded, type LoadedDame } from "./load-dame.js";

/**
 * The program over elements that lie at these displacements, and not an extent apart. O(elements): their table is
 * counted in words as a program's own are.
 */
export function placedDame(loaded: LoadedDame, displacementsBytes: Float64Array): LoadedDame {
  const { root, sizeBytes } = requireLoaded(loaded);
  const elements = { primitive: -1, count: BY_COPIES, stepBytes: sizeBytes, displacementsBytes };
  // An element that is one run is a block itself; else each is one copy of what the root repeats.
  const isRun = root.leaf && root.displacementsBytes === undefined && root.stepBytes === sizeBytes;
  return loadedDame({ ...loaded, root: level(isRun ? elements : { ...elements, child: root }) });
}
