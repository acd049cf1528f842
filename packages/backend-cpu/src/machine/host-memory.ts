import type { HostBuffer, Region } from "@stowage/backend-api";
import { DameError } from "../language/dame-error.js";

/**
 * One buffer under the views that the inner loops use: each from its ArrayBuffer's start, so that words are aligned.
 */
export interface HostRegion {
  readonly bytes: Uint8Array;
  readonly words4: Int32Array;
  readonly words8: BigInt64Array;
  readonly view: DataView;
  /** The part of the memory's offsets that is this region's. */
  readonly startBytes: number;
  readonly endBytes: number;
  /** Index in the ArrayBuffer of the memory's offset 0. */
  readonly shiftBytes: number;
}

function hostRegion({ startBytes, buffer: { bytes, kind, sizeBytes } }: Region, holdsAll = false): HostRegion {
  if (bytes === undefined)
    throw new DameError("memory of a DAME program", "a view of its bytes", `${kind} memory without one`);
  const { buffer } = bytes;
  // No further than the buffer goes: a resizable one may shrink down to there.
  const end = bytes.byteOffset + bytes.byteLength;
  return Object.freeze({
    bytes: new Uint8Array(buffer, 0, end),
    words4: new Int32Array(buffer, 0, Math.floor(end / 4)),
    words8: new BigInt64Array(buffer, 0, Math.floor(end / 8)),
    view: new DataView(buffer, 0, end),
    startBytes: holdsAll ? -Infinity : startBytes,
    endBytes: holdsAll ? Infinity : startBytes + sizeBytes,
    shiftBytes: bytes.byteOffset - startBytes,
  });
}

/** Memory that the interpreter reads or writes: regions, sorted, in one space of offsets. */
export class HostMemory {
  readonly #regions: readonly HostRegion[];
  /** The region of the last block, where the next one most often lies too. */
  #last: HostRegion;

  /** `holdsAll`: the only region is known to hold every byte that will be asked for, and is not asked again. */
  constructor(regions: readonly Region[], holdsAll = false) {
    this.#regions = regions.map((region) => hostRegion(region, holdsAll));
    this.#last = this.#regions[0] ?? EMPTY_REGION;
  }

  /** From now on this region, of a memory without others, is known to hold every byte that will be asked for. */
  hold(region: HostRegion): void {
    this.#last = region;
  }

  /** The region that holds offsets [lowBytes, highBytes) all, if one does. O(log regions). */
  find(lowBytes: number, highBytes: number): HostRegion | undefined {
    const last = this.#last;
    if (lowBytes >= last.startBytes && highBytes <= last.endBytes) return last;
    const region = this.#regionAt(lowBytes);
    if (region === undefined || highBytes > region.endBytes) return undefined;
    this.#last = region;
    return region;
  }

  /** The last region that starts at or before the offset. */
  #regionAt(offsetBytes: number): HostRegion | undefined {
    let low = 0;
    let high = this.#regions.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((this.#regions[middle] as HostRegion).startBytes <= offsetBytes) low = middle + 1;
      else high = middle;
    }
    return this.#regions[low - 1];
  }
}

/** The regions of buffers that were moved before: making one costs several calls. */
const known = new WeakMap<HostBuffer, HostRegion>();

/** A buffer that holds every byte that will be asked for, its first at offset 0. */
export function regionOf(buffer: HostBuffer): HostRegion {
  let region = known.get(buffer);
  if (region === undefined) {
    region = hostRegion({ startBytes: 0, buffer }, true);
    known.set(buffer, region);
  }
  return region;
}

export const EMPTY_REGION: HostRegion = hostRegion({
  startBytes: 0,
  buffer: { kind: "host", sizeBytes: 0, bytes: new Uint8Array(0) },
});
