import { conditions, type Conditions } from "@stowage/backend-api";
import type { Range } from "../reference/byte-map.js";
import type { LawSettings, MoveDirection } from "../settings.js";
import type { Resources } from "./resources.js";
import { sideFor, type Side } from "./side.js";
import { denseSubject } from "./subject.js";
import { Transfer } from "./transfer.js";
import type { Trial } from "./trial.js";

/** Packing, or unpacking, of a datatype: which side is scattered. */
export type PackDirection = Exclude<MoveDirection, "copy">;

/** What the laws know of all moves of a case. */
export interface Known {
  readonly direction: MoveDirection;
  readonly alignment: number;
  readonly count: number | "any";
}

/** The kinds that each direction moves between: a copy stays on the scattered side. */
export function conditionsFor(settings: LawSettings, { direction, alignment, count }: Known): Conditions {
  const { scattered, packed } = settings;
  return conditions({
    ...settings.conditions,
    sourceKind: direction === "unpack" ? packed.kind : scattered.kind,
    targetKind: direction === "pack" ? packed.kind : scattered.kind,
    sourceAlignment: alignment,
    targetAlignment: alignment,
    count,
  });
}

export const wholeOf = ({ subject, count }: Pick<Trial, "subject" | "count">): Range => ({
  count,
  first: 0,
  length: count * subject.map.sizeBytes,
});

export function scatteredSide(settings: LawSettings, trial: Trial, range: Range, alignment: number): Side {
  return sideFor(settings.scattered, trial.subject, range, { ...trial.scattered, alignment });
}

function packedSide(settings: LawSettings, trial: Trial, range: Range, alignment: number): Side {
  const dense = denseSubject(trial.subject.map.sizeBytes);
  return sideFor(settings.packed, dense, range, { ...trial.packed, alignment });
}

/** A pack or unpack with memory for a range of the packed stream. */
export function transferFor(
  settings: LawSettings,
  resources: Resources,
  trial: Trial,
  direction: PackDirection,
  range: Range,
  alignment: number,
): Transfer {
  const scattered = scatteredSide(settings, trial, range, alignment);
  resources.hold(scattered.arena);
  const packed = packedSide(settings, trial, range, alignment);
  resources.hold(packed.arena);
  const [source, target] = direction === "pack" ? [scattered, packed] : [packed, scattered];
  return new Transfer(source, target, trial.pattern);
}
