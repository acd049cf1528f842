import { conditions, type Conditions, type MemoryKind } from "@stowage/backend-api";
import * as fc from "fast-check";
import type { LawSettings } from "../settings.js";
import { anyAlignment } from "./trial.js";

const KINDS: readonly MemoryKind[] = ["host", "pinned", "device", "managed"];

/** What a caller may declare, whether the backend can serve it or not: half of it of the kinds under test. */
export function anyConditions(settings: LawSettings): fc.Arbitrary<Conditions> {
  const { scattered, packed } = settings;
  return fc
    .record({
      sourceKind: fc.oneof(fc.constantFrom(scattered.kind, packed.kind), fc.constantFrom(...KINDS)),
      targetKind: fc.oneof(fc.constantFrom(scattered.kind, packed.kind), fc.constantFrom(...KINDS)),
      sourceAlignment: anyAlignment,
      targetAlignment: anyAlignment,
      count: fc.oneof(fc.constant("any" as const), fc.nat({ max: 3 }), fc.constantFrom(1000, 2 ** 31, 2 ** 40)),
      smBudget: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
      threads: fc.integer({ min: 1, max: 4 }),
      stores: fc.option(fc.constantFrom("temporal", "streaming"), { nil: undefined }),
    })
    .map(({ smBudget, stores, ...rest }) =>
      conditions({ ...rest, ...(smBudget === undefined ? {} : { smBudget }), ...(stores === undefined ? {} : { stores }) }),
    );
}
