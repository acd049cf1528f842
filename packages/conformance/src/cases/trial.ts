import type { DatatypeOptions } from "@stowage/arbitraries";
import * as fc from "fast-check";
import type { ViewPlace } from "../memory/arena.js";
import type { Pattern } from "../memory/pattern.js";
import type { TestMemory } from "../memory/test-memory.js";
import type { LawSettings } from "../settings.js";
import { anySubject, type Subject } from "./subject.js";

/** How the memory of one side of a case is laid out. */
export interface Placing {
  readonly asSpace: boolean;
  readonly padBytes: number;
  readonly view?: ViewPlace;
}

/** What one move of a case works on. */
export interface Trial {
  readonly subject: Subject;
  readonly count: number;
  readonly scattered: Placing;
  readonly packed: Placing;
  readonly pattern: Pattern;
}

export const anyPattern: fc.Arbitrary<Pattern> = fc.record({
  seed: fc.nat({ max: 1e6 }),
  nans: fc.nat({ max: 7 }).map((luck) => luck === 7),
});

/** Exactly as much memory as is needed, or canaries around it; one buffer or an address space. */
export function anyPlacing({ addressSpaces }: LawSettings, memory: TestMemory): fc.Arbitrary<Placing> {
  const asSpace = fc.nat({ max: 3 }).map((luck) => addressSpaces && luck === 3);
  const padBytes = fc.constantFrom(0, 16, 16);
  const views = memory.views ?? [];
  if (views.length === 0) return fc.record({ asSpace, padBytes });
  const what = fc.constantFrom(...views.map((view) => view.what));
  const view = fc.record({ what, offsetBytes: fc.constantFrom(...VIEW_OFFSETS) });
  return fc.record({ asSpace, padBytes, view }, { requiredKeys: ["asSpace", "padBytes"] });
}

/** Where views begin: aligned or not, and past the first page. */
const VIEW_OFFSETS = [0, 1, 3, 8, 16, 4099];

export function anyTrial(settings: LawSettings, options: DatatypeOptions = {}): fc.Arbitrary<Trial> {
  return fc.record({
    count: fc.nat({ max: 3 }),
    scattered: anyPlacing(settings, settings.scattered),
    packed: anyPlacing(settings, settings.packed),
    pattern: anyPattern,
    // Last: of all fields it has the most ways to shrink, and each is tried with the others as small as they get.
    subject: anySubject(settings, options),
  });
}

/** The alignment that the conditions of a case promise, of both sides. */
export const anyAlignment: fc.Arbitrary<number> = fc.constantFrom(1, 1, 2, 4, 8, 16);
