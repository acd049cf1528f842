import type { Layout } from "@stowage/ir";
import type { LoopContext } from "../loops/loop-context.js";
import { choose } from "../loops/rule.js";
import type { CopyPlan } from "./copy-plan.js";
import { elementsOf, innerOf } from "./facts/divided-elements.js";
import type { PairingRule } from "./pairing.js";
import { planLevel } from "./plan-level.js";
import { pairedNests } from "./rules/pairings/paired-nests.js";
import { piecesByLength } from "./rules/pairings/pieces-by-length.js";
import { BUFFER_BYTES, bufferStep, throughBuffer } from "./rules/pairings/through-buffer.js";

/** In the order in which they are asked; the last one always gives a pairing. */
export const PAIRING_RULES: readonly PairingRule[] = [pairedNests, piecesByLength, throughBuffer];

/** The plan by which any number of elements is copied; both layouts canonical, of one size, not empty. */
export function planCopy(source: Layout, target: Layout, context: LoopContext): CopyPlan {
  const pairing = choose(PAIRING_RULES, context, { source: source.root, target: target.root });
  const pair = pairing.plan.what === "paired" ? pairing.plan.pair : undefined;
  const inner = pair === undefined ? undefined : innerOf(pair, source);
  return Object.freeze({
    source,
    target,
    pairing,
    elements: pair === undefined ? undefined : planLevel(context, elementsOf(pair, source, target)),
    inner: inner === undefined ? undefined : planLevel(context, inner),
    bufferBytes: BUFFER_BYTES,
    stepBytes: bufferStep([source.sizeBytes, ...[target, source].flatMap(childBytes)]),
  });
}

const childBytes = ({ root }: Layout): readonly number[] => (root.kind === "stream" ? [root.child.sizeBytes] : []);
