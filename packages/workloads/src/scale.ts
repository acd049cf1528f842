import { quoted } from "@stowage/ir";
import type { WorkloadDefinition } from "./definition.js";
import { WorkloadError } from "./errors.js";

/** The largest scale whose packed size is at most `packedBytes`; 0 where even scale 1 is larger. */
function scaleBelow({ sizeBytes }: WorkloadDefinition, packedBytes: number): number {
  let low = 0;
  let high = 1;
  while (sizeBytes(high) <= packedBytes) {
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (sizeBytes(middle) <= packedBytes) low = middle;
    else high = middle;
  }
  return low;
}

/** The packed sizes next to `packedBytes` that the workload can have: itself alone, or one below and one above. */
function neighbours(definition: WorkloadDefinition, packedBytes: number): readonly number[] {
  const below = scaleBelow(definition, packedBytes);
  const above = definition.sizeBytes(below + 1);
  if (below === 0) return [above];
  const size = definition.sizeBytes(below);
  return size === packedBytes ? [size] : [size, above];
}

/** Throws a WorkloadError where this is no packed size that anything could have. */
function requirePackedBytes(subject: string, packedBytes: number): void {
  if (Number.isSafeInteger(packedBytes) && packedBytes > 0) return;
  throw new WorkloadError(subject, "a positive integer", quoted(packedBytes));
}

/** The scale at which a workload packs to exactly `packedBytes`. Throws a WorkloadError where there is none. */
export function scaleFor(definition: WorkloadDefinition, packedBytes: number): number {
  const subject = `packed bytes of ${definition.name}`;
  requirePackedBytes(subject, packedBytes);
  const sizes = neighbours(definition, packedBytes);
  if (sizes[0] !== packedBytes) {
    throw new WorkloadError(subject, `a size it can have, such as ${sizes.join(" or ")}`, String(packedBytes));
  }
  return scaleBelow(definition, packedBytes);
}

/** The size nearest to `packedBytes` that the workload can have. Throws a WorkloadError where it is no size. */
export function nearestSize(definition: WorkloadDefinition, packedBytes: number): number {
  requirePackedBytes(`packed bytes near those of ${definition.name}`, packedBytes);
  const [first, second] = neighbours(definition, packedBytes) as readonly [number, number?];
  return second !== undefined && second - packedBytes < packedBytes - first ? second : first;
}
