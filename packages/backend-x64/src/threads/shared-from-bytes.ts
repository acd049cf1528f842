import { figuresOf, type Conditions, type Move, type Profile } from "@stowage/backend-api";
import { aloneNs } from "../cost-model.js";
import { NAME } from "../payload.js";
import { MOST_SHARED_BYTES } from "./rules/slices.js";
import { worthSharingNs, type SharingMode } from "./shared-time.js";

/** Packed bytes of a launch from which the threads of the conditions are quicker than one, by the cost model. */
export function sharedFromBytes(
  moves: readonly Move[],
  conditions: Conditions,
  profile: Profile,
  mode: SharingMode,
): number {
  const worthNs = worthSharingNs(conditions.threads, profile, mode);
  const sizeBytes = moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
  if (worthNs === Infinity || sizeBytes === 0) return Infinity;
  const timeNs = (count: number): number => aloneNs(moves, { ...conditions, count }, profile);
  const callNs = figuresOf(profile, NAME, "pack")("call");
  let count = 1;
  while (timeNs(count) < worthNs) {
    if (count * sizeBytes > MOST_SHARED_BYTES) return Infinity;
    count *= 2;
  }
  // From half as many on it rises nearly in proportion; of one element part of it is meant.
  const [below, from] = count === 1 ? [callNs, timeNs(1)] : [timeNs(count / 2), timeNs(count)];
  const share = Math.max(0, Math.min(1, (worthNs - below) / Math.max(from - below, 1)));
  const leastCount = count === 1 ? share : (count / 2) * (1 + share);
  return Math.ceil(leastCount * sizeBytes);
}
