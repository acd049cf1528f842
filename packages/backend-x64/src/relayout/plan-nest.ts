import type { LoopContext } from "../loops/loop-context.js";
import { choose } from "../loops/rule.js";
import { merged, nested, without, type Dimension } from "./dimensions.js";
import type { NestRule, RunNest } from "./nest-rule.js";
import type { Loop, Pair } from "./pair.js";
import { blockedRuns } from "./rules/nests/blocked-runs.js";
import { transposedDimensions } from "./rules/nests/transposed-dimensions.js";
import { widestOutermost } from "./rules/nests/widest-outermost.js";

/** In the order in which they are asked; the last one always gives an order. */
export const NEST_RULES: readonly NestRule[] = [transposedDimensions, blockedRuns, widestOutermost];

/**
 * A pair that moves the same bytes in the order that suits memory. No two bytes of a target are the same one, so loops
 * may change places: runs grow by what is contiguous on both sides, dimensions merge, and a rule orders the rest.
 */
export function ordered(context: LoopContext, pair: Pair, nonTemporal: boolean): Pair {
  const inside = (inner: Pair): Pair => ordered(context, inner, nonTemporal);
  switch (pair.kind) {
    case "run":
    case "overlaps":
    case "transposed":
    case "nest":
      return pair;
    case "walk":
      return { ...pair, child: inside(pair.child) };
    case "members":
      return { ...pair, members: pair.members.map((member) => ({ ...member, pair: inside(member.pair) })) };
    case "loop":
      return orderedNest(context, pair, nonTemporal);
  }
}

function orderedNest(context: LoopContext, pair: Loop, nonTemporal: boolean): Pair {
  const dimensions: Dimension[] = [];
  let leaf: Pair = pair;
  for (; leaf.kind === "loop"; leaf = leaf.child) dimensions.push(leaf);
  if (leaf.kind !== "run") return nested(merged(dimensions), ordered(context, leaf, nonTemporal));
  const nest = grown({ dimensions, lengthBytes: leaf.lengthBytes, nonTemporal });
  const { rule, passed, plan } = choose(NEST_RULES, context, nest);
  return { kind: "nest", rule, passed, pair: plan };
}

/** Runs as long as both sides are contiguous, in as few dimensions as there are. */
function grown(nest: RunNest): RunNest {
  const { dimensions, lengthBytes } = nest;
  const next = dimensions.find(
    ({ sourceBytes, targetBytes }) => sourceBytes === lengthBytes && targetBytes === lengthBytes,
  );
  if (next !== undefined)
    return grown({ ...nest, dimensions: without(dimensions, next), lengthBytes: lengthBytes * next.count });
  const fewer = merged(dimensions);
  return fewer.length < dimensions.length ? grown({ ...nest, dimensions: fewer }) : nest;
}
