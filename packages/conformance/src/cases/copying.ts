import type { Move } from "@stowage/backend-api";
import * as fc from "fast-check";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings } from "../settings.js";
import { scatteredSide, wholeOf } from "./directed.js";
import { anyRearrangement, rearranged, type Rearrangement } from "./rearranged.js";
import type { Resources } from "./resources.js";
import { Transfer } from "./transfer.js";
import { anyPlacing, anyTrial, type Placing, type Trial } from "./trial.js";

/** A copy from a datatype to another layout of its size. */
export interface Copying {
  readonly trial: Trial;
  readonly rearrangement: Rearrangement;
  readonly target: Placing;
  /** Bytes left out at the beginning and at the end of the packed stream. */
  readonly left: readonly [number, number];
}

export const anyCopying = (settings: LawSettings): fc.Arbitrary<Copying> =>
  fc.record({
    rearrangement: anyRearrangement,
    target: anyPlacing(settings, settings.scattered),
    left: fc.oneof(fc.constant([0, 0] as const), fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 40 }))),
    trial: anyTrial(settings),
  });

/** The whole stream as often as a part of it. */
export function rangeOf({
  trial,
  left: [before, after],
}: {
  readonly trial: Pick<Trial, "subject" | "count">;
  readonly left: readonly [number, number];
}): Range {
  const { count, length } = wholeOf(trial);
  const first = Math.min(before, length);
  return { count, first, length: Math.max(0, length - first - after) };
}

/** The move, and memory on both sides for a range of it. */
export function copyOf(
  settings: LawSettings,
  resources: Resources,
  copying: Copying,
  range: Range,
): { readonly move: Move; readonly transfer: Transfer } {
  const { trial, rearrangement, target } = copying;
  const other = rearranged(trial.subject.map.sizeBytes, rearrangement);
  const source = scatteredSide(settings, trial, range, 1);
  resources.hold(source.arena);
  const into = scatteredSide(settings, { ...trial, subject: other, scattered: target }, range, 1);
  resources.hold(into.arena);
  return {
    move: { source: trial.subject.layout, target: other.layout },
    transfer: new Transfer(source, into, trial.pattern),
  };
}
