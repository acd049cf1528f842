/** Bytes [startBytes, endBytes). */
export interface Extent {
  readonly startBytes: number;
  readonly endBytes: number;
}

/** The free parts of a stretch of memory, in order, no two of which touch. */
export class FreeSpace {
  #extents: Extent[];

  constructor(capacityBytes: number) {
    this.#extents = [{ startBytes: 0, endBytes: capacityBytes }];
  }

  /** The start of the lowest free part from `least` on that is long enough, which is taken; undefined where none is. */
  take(bytes: number, least = 0): number | undefined {
    const index = this.#extents.findIndex(
      ({ startBytes, endBytes }) => endBytes - Math.max(startBytes, least) >= bytes,
    );
    const found = this.#extents[index];
    if (found === undefined) return undefined;
    const taken = Math.max(found.startBytes, least);
    const rest = [
      { startBytes: found.startBytes, endBytes: taken },
      { startBytes: taken + bytes, endBytes: found.endBytes },
    ];
    this.#extents.splice(index, 1, ...rest.filter(({ startBytes, endBytes }) => startBytes < endBytes));
    return taken;
  }

  /** Gives back what was taken, and returns the free part that it is now in. */
  giveBack(startBytes: number, bytes: number): Extent {
    const after = this.#extents.findIndex((extent) => extent.startBytes > startBytes);
    const index = after === -1 ? this.#extents.length : after;
    const [before, next] = [this.#extents[index - 1], this.#extents[index]];
    const joinsBefore = before?.endBytes === startBytes;
    const joinsNext = next?.startBytes === startBytes + bytes;
    const joined = {
      startBytes: joinsBefore ? before.startBytes : startBytes,
      endBytes: joinsNext ? next.endBytes : startBytes + bytes,
    };
    this.#extents.splice(joinsBefore ? index - 1 : index, Number(joinsBefore) + Number(joinsNext), joined);
    return joined;
  }
}
