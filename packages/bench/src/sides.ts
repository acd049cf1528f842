import { hostMemory, type Span } from "@stowage/backend-api";
import type { PackDirection } from "./committed-type.js";

type Pair<Side> = readonly [source: Side, target: Side];

/** Source and target of a pack or unpack, made anew each time they are asked for. */
export interface Sides {
  /** Gives the sides as spans, for plans. */
  readonly spans: () => Pair<Span>;
  /**
   * Gives the sides as an application has them: as views, or as a span where the datatype's address 0 is not a view's
   * first byte.
   */
  readonly given: () => Pair<Uint8Array | Span>;
}

/**
 * The sides of a cell. Each side is another object each time, on the same memory, so that caches hold what they held.
 * `originBytes` counts from the start of `scattered` to the datatype's address 0.
 */
export function sidesOf(
  direction: PackDirection,
  scattered: Uint8Array,
  originBytes: number,
  packed: Uint8Array,
): Sides {
  const span = (bytes: Uint8Array, origin: number): Span => ({
    memory: hostMemory(bytes.subarray()),
    originBytes: origin,
  });
  const ordered = <Side>(ofScattered: Side, ofPacked: Side): Pair<Side> =>
    direction === "pack" ? [ofScattered, ofPacked] : [ofPacked, ofScattered];
  return {
    spans: () => ordered(span(scattered, originBytes), span(packed, 0)),
    given: () =>
      ordered<Uint8Array | Span>(
        originBytes === 0 ? scattered.subarray() : span(scattered, originBytes),
        packed.subarray(),
      ),
  };
}
