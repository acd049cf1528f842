import { hindexed, hindexedBlock, indexed, indexedBlock, struct, type Datatype } from "@stowage/ir";
import * as fc from "fast-check";
import { apart, placements, type Placement } from "./placement.js";
import type { Limits, Wrapper } from "./options.js";
import { spanOfCopies } from "./spans.js";

const MOST_BLOCKS = 5;

/** Displacements counted in child extents: a block of n covers n of them. */
function inExtents(plan: readonly Placement[], { disjoint }: Limits): number[] {
  if (!disjoint) return plan.map(({ place }) => place);
  return apart(plan, ({ blocklength }) => ({ low: 0, high: blocklength }));
}

function inBytes(plan: readonly Placement[], childOf: (index: number) => Datatype, { disjoint }: Limits): number[] {
  if (!disjoint) return plan.map(({ place, gap }) => 4 * place + gap);
  return apart(plan, ({ blocklength }, i) => spanOfCopies(childOf(i), blocklength));
}

const lengthsOf = (plan: readonly Placement[]): number[] => plan.map(({ blocklength }) => blocklength);

/** Gives every block the first one's blocklength, as the block forms of indexed types have it. */
const evened = (plan: readonly Placement[]): readonly Placement[] =>
  plan.map((block) => ({ ...block, blocklength: plan[0]?.blocklength ?? 0 }));

export function anyIndexed(limits: Limits): fc.Arbitrary<Wrapper> {
  const plans = placements(MOST_BLOCKS);
  return fc.oneof(
    plans.map(
      (plan): Wrapper =>
        (child) =>
          indexed(lengthsOf(plan), inExtents(plan, limits), child),
    ),
    plans.map(
      (plan): Wrapper =>
        (child) =>
          hindexed(
            lengthsOf(plan),
            inBytes(plan, () => child, limits),
            child,
          ),
    ),
    plans.map(evened).map((plan): Wrapper => (child) => {
      return indexedBlock(plan[0]?.blocklength ?? 0, inExtents(plan, limits), child);
    }),
    plans.map(evened).map((plan): Wrapper => (child) => {
      return hindexedBlock(
        plan[0]?.blocklength ?? 0,
        inBytes(plan, () => child, limits),
        child,
      );
    }),
  );
}

/** A struct of the given children; blocklengths of 0 are as likely as others. */
export function anyStruct(child: fc.Arbitrary<Datatype>, limits: Limits): fc.Arbitrary<Datatype> {
  return fc.tuple(placements(4), fc.array(child, { minLength: 4, maxLength: 4 })).map(([plan, pool]) => {
    const children = pool.slice(0, plan.length);
    const displacementsBytes = inBytes(plan, (i) => children[i] as Datatype, limits);
    return struct(lengthsOf(plan), displacementsBytes, children);
  });
}
