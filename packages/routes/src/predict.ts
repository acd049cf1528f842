import type { Backend, Conditions, Move, Prediction, Profile } from "@stowage/backend-api";
import { figuresOf, type Figures } from "./figures.js";
import type { Route } from "./route.js";
import { kindOn, type Side } from "./sides.js";

/**
 * The terms that a route takes, in nanoseconds. TEMPI, section 3.4, equations 1 to 3, up to where bytes are on the
 * host.
 */
export interface Terms {
  readonly commitNs: number;
  /** On the device, or to and from mapped memory: what the packer says. */
  readonly packNs: number;
  /** Over the bus by the copy engines. */
  readonly busNs: number;
  /** Between pinned and pageable memory. */
  readonly hostNs: number;
  /** For a pipeline: what is not hidden behind the longest of the other terms. */
  readonly fillNs: number;
}

export function termsOf(
  route: Route,
  packer: Backend,
  input: {
    readonly moves: readonly Move[];
    readonly conditions: Conditions;
    readonly packed: Conditions;
    readonly side: Side;
    readonly profile: Profile;
  },
): Terms {
  const { moves, conditions, packed, side, profile } = input;
  // One that predicts nothing is taken to cost nothing beside the bus.
  const { commitNs, runNs: packNs } = packer.predict?.(moves, packed, profile) ?? { commitNs: 1, runNs: 1 };
  if (!route.throughDevice) return { commitNs, packNs, busNs: 0, hostNs: 0, fillNs: 0 };
  const figures = figuresOf(profile);
  const count = conditions.count === "any" ? 1 : conditions.count;
  const bytes = moves.reduce((sum, { source }) => sum + source.sizeBytes * count, 0);
  const chunks = route.chunked ? chunksIn(bytes, figures) : 1;
  return {
    commitNs,
    packNs,
    busNs: moves.length * figures.copyNs + bytes / figures.busBytesPerNs,
    hostNs: kindOn(conditions, side) === "host" ? bytes / figures.hostCopyBytesPerNs : 0,
    fillNs: chunks * figures.handoverNs,
  };
}

/** One after the other; a pipeline takes as long as its longest part, and the first chunk of the others. */
export function timeOf(route: Route, { commitNs, packNs, busNs, hostNs, fillNs }: Terms, share: number): Prediction {
  if (!route.chunked) return { commitNs, runNs: packNs + busNs + hostNs };
  const longest = Math.max(packNs, busNs, hostNs);
  return { commitNs, runNs: longest + (packNs + busNs + hostNs - longest) * share + fillNs };
}

/** What of a message its first chunk is. */
export function firstShare(bytes: number, { leastChunkBytes }: Figures): number {
  return bytes <= leastChunkBytes ? 1 : leastChunkBytes / bytes;
}

function chunksIn(bytes: number, { leastChunkBytes, mostChunkBytes }: Figures): number {
  let [chunks, size] = [0, leastChunkBytes];
  let left = bytes;
  while (left > 0 && size < mostChunkBytes) {
    left -= size;
    size *= 2;
    chunks++;
  }
  return chunks + Math.max(0, Math.ceil(left / mostChunkBytes));
}
