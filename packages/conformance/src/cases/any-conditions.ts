import { conditions, type Conditions, type MemoryKind } from "@stowage/backend-api";
import * as fc from "fast-check";
import type { LawSettings } from "../settings.js";
import { anyAlignment } from "./trial.js";

const KINDS: readonly MemoryKind[] = ["host", "pinned", "device", "managed"];

/** What a caller may declare, whether the backend can serve it or not: half of it of the kinds under test. */
export function anyConditions(settings: LawSettings): fc.Arbitrary<Conditions> {
  const { scattered, packed } = settings;
  return fc
    .record(
      {
        sourceKind: fc.oneof(fc.constantFrom(scattered.kind, packed.kind), fc.constantFrom(...KINDS)),
        targetKind: fc.oneof(fc.constantFrom(scattered.kind, packed.kind), fc.constantFrom(...KINDS)),
        sourceAlignment: anyAlignment,
        targetAlignment: anyAlignment,
        count: fc.oneof(fc.constant("any" as const), fc.nat({ max: 3 }), fc.constantFrom(1000, 2 ** 31, 2 ** 40)),
        threads: fc.integer({ min: 1, max: 4 }),
        smBudget: fc.integer({ min: 1, max: 8 }),
        stores: fc.constantFrom("temporal", "streaming"),
        reuse: fc.constantFrom(1, 1000, Infinity),
      },
      { requiredKeys: ["sourceKind", "targetKind", "sourceAlignment", "targetAlignment", "count", "threads"] },
    )
    .map(conditions);
}
