import { stream, type Blocks, type Layout, type LayoutNode, type Stream } from "@stowage/ir";
import { LEAST_NON_TEMPORAL_BYTES } from "../options.js";
import { MOST_IMMEDIATE } from "../widths.js";
import { chunksOf, type Chunk, type LoadsFirst } from "./chunks.js";
import { firstBytes } from "./facts/constants.js";
import { withEvenBlocks } from "./even-blocks.js";
import { anyLengthPlanOf } from "./facts/lengths.js";
import { isCalledMember } from "./facts/nodes.js";
import { slackOf, type Room } from "./facts/slack.js";
import { hasMasks, loadsDwords } from "./facts/vector-levels.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import type {
  AnyLengthPlan,
  LengthPlan,
  NodePlan,
  OutOfCachePlan,
  RunsPlan,
  StreamPlan,
  UnrolledPlan,
  WalkPlan,
} from "./plans.js";
import {
  chooseOutOfCache,
  planLength,
  planNode,
  planRuns,
  planStream,
  planWalk,
  unrolledPlanOf,
  type OutOfCacheChoice,
} from "./rule-lists.js";
import type { Choice, PassedRule } from "./rule.js";

/** Least sizes, in packed bytes, of a partial pack and of the full pack that it is a part of. */
interface LeastOfParts {
  readonly partBytes: number;
  readonly fullBytes: number;
}

/** How elements are moved that the caches do not hold, and from which sizes on. */
export interface OutOfCacheMode {
  /** The rule that gave it. */
  readonly rule: string;
  readonly plan: ModePlan;
  /** What must divide the target's address. */
  readonly alignmentBytes: number;
  /** Packed bytes of a full pack. */
  readonly fullBytes: number;
  readonly parts: LeastOfParts;
}

/** How any number of elements is packed or unpacked: what the emitter writes, and explain prints. */
export interface LoopPlan {
  /** The layout as it is moved: runs of varying length are cut into equal blocks where most are equal already. */
  readonly layout: Layout;
  /** Whether the elements are one run, whatever their number: it is copied, by no loop of these. */
  readonly isOneRun: boolean;
  /** One element after another, or its outermost children where elements continue each other's stream. */
  readonly elements: Stream;
  /** Children of `elements` in one element. */
  readonly perElement: number;
  readonly cached: ModePlan;
  /** The best first. */
  readonly outOfCache: readonly OutOfCacheMode[];
  /** Why the other rules for what the caches do not hold gave no mode. */
  readonly passed: readonly PassedRule[];
}

/** The plans of a layout's nodes in one mode of a launch: each is made once, when it is first asked for. */
export class ModePlan {
  readonly context: LoopContext;
  /** The plans of a launch that the caches hold; these, where they are. */
  readonly cached: ModePlan;
  // A layout has few nodes of each kind, or none: no map is there before it is asked.
  #nodes: Map<LayoutNode, Choice<NodePlan>> | undefined;
  #known: Map<Stream, StreamPlan> | undefined;
  #counted: Map<Stream, StreamPlan> | undefined;
  #unrolled: Map<Stream, UnrolledPlan> | undefined;
  #lengths: Map<number, Choice<LengthPlan>> | undefined;
  #anyLength: AnyLengthPlan | undefined;
  #walks: Map<Blocks, Choice<WalkPlan>> | undefined;
  #parts: Map<Blocks, Choice<WalkPlan>> | undefined;
  #runs: Map<Blocks, Choice<RunsPlan>> | undefined;

  constructor(context: LoopContext, cached?: ModePlan) {
    this.context = context;
    this.cached = cached ?? this;
  }

  /** How all of a node is written where it stands. */
  node(node: LayoutNode): Choice<NodePlan> {
    return memoised((this.#nodes ??= new Map<LayoutNode, Choice<NodePlan>>()), node, () =>
      planNode(this.context, node),
    );
  }

  /** Whether a member of a sequence that has a routine of its own is called, however its kind is written elsewhere. */
  isCalledMember(node: LayoutNode): boolean {
    return isCalledMember(this.context, node);
  }

  /** All children of a stream. */
  stream(node: Stream): StreamPlan {
    return memoised((this.#known ??= new Map<Stream, StreamPlan>()), node, () =>
      planStream(this.context, { node, most: node.count }),
    );
  }

  /** As many children of a stream as are asked for when it runs. */
  countedStream(node: Stream): StreamPlan {
    return memoised((this.#counted ??= new Map<Stream, StreamPlan>()), node, () =>
      planStream(this.context, { node, most: Infinity }),
    );
  }

  unrolled(node: Stream): UnrolledPlan {
    return memoised((this.#unrolled ??= new Map<Stream, UnrolledPlan>()), node, () =>
      unrolledPlanOf(this.context, node),
    );
  }

  /** A run of constant length. */
  length(lengthBytes: number): Choice<LengthPlan> {
    return memoised((this.#lengths ??= new Map<number, Choice<LengthPlan>>()), lengthBytes, () =>
      planLength(this.context, lengthBytes),
    );
  }

  /** Moves of a run of few, or of as many as a round: with `room` up to what no over-copy may touch. */
  chunks(lengthBytes: number, room: Room): readonly Chunk[] {
    return chunksOf(lengthBytes, widestMoveOf(this.context), slackOf(this.context, room), this.#loadsFirst);
  }

  /** Whether a mask loads the first bytes of a vector, and has a register where it needs one. */
  readonly #loadsFirst: LoadsFirst = (bytes) => {
    const { isa, constants } = this.context;
    return hasMasks(isa.level) ? constants.takeMask(firstBytes(bytes)) : loadsDwords(isa.level, bytes);
  };

  /** A run of a run-time length. */
  get anyLength(): AnyLengthPlan {
    return (this.#anyLength ??= anyLengthPlanOf(this.context));
  }

  /** All blocks of a table, one child each. */
  walk(node: Blocks): Choice<WalkPlan> {
    return memoised((this.#walks ??= new Map<Blocks, Choice<WalkPlan>>()), node, () =>
      planWalk(this.context, { node, isWhole: true }),
    );
  }

  /** As many blocks of a table as are asked for when it runs. */
  countedWalk(node: Blocks): Choice<WalkPlan> {
    return memoised((this.#parts ??= new Map<Blocks, Choice<WalkPlan>>()), node, () =>
      planWalk(this.context, { node, isWhole: false }),
    );
  }

  /** Runs of varying length. */
  runs(node: Blocks): Choice<RunsPlan> {
    return memoised((this.#runs ??= new Map<Blocks, Choice<RunsPlan>>()), node, () => planRuns(this.context, node));
  }
}

function memoised<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  known.set(key, made);
  return made;
}

const NO_LOOPS: OutOfCacheChoice = { plans: [], passed: [] };

/** Whether the elements of a layout are one run, whatever their number. */
export const isRun = ({ root, extentBytes, sizeBytes }: Layout): boolean =>
  root.kind === "dense" && extentBytes === sizeBytes;

/**
 * The plan by which any number of elements of a layout is packed or unpacked. `nonTemporalPartsBytes`: packed bytes of
 * a full pack from which its parts are unpacked by non-temporal stores.
 */
export function planLoops(scattered: Layout, context: LoopContext, nonTemporalPartsBytes: number): LoopPlan {
  const layout = withEvenBlocks(scattered, context.tuning);
  const cached = new ModePlan(context);
  const { elements, perElement } = elementsOf(layout);
  const isOneRun = isRun(layout);
  const isLooped = layout.sizeBytes > 0 && !isOneRun;
  const { plans, passed } = isLooped ? chooseOutOfCache(context, elements, perElement) : NO_LOOPS;
  const outOfCache = plans.map((plan) =>
    Object.freeze({
      rule: plan.rule,
      plan: new ModePlan({ ...context, outOfCache: plan.outOfCache }, cached),
      alignmentBytes: plan.alignmentBytes,
      fullBytes: plan.fullBytes ?? context.tuning.nonTemporalBytes,
      parts: leastOfParts(context, plan, nonTemporalPartsBytes),
    }),
  );
  return Object.freeze({ layout, isOneRun, elements, perElement, cached, outOfCache, passed });
}

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): Pick<LoopPlan, "elements" | "perElement"> {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

/**
 * Least sizes of partial packs and of the full pack for a plan. Partial packs are non-temporal if they are as long as a
 * non-temporal full pack, as slices for threads are; partial unpacks if the full unpack is, since they write the same
 * memory. Shorter partial packs stay in the cache: the caller may send each from one buffer. A plan with a size of its
 * own has it by how far the elements reach, which parts of any length walk one after another.
 */
function leastOfParts(
  { direction, tuning }: LoopContext,
  plan: OutOfCachePlan,
  nonTemporalPartsBytes: number,
): LeastOfParts {
  const least = tuning.nonTemporalBytes;
  if (plan.fullBytes !== undefined) return { partBytes: 0, fullBytes: plan.fullBytesOfParts ?? plan.fullBytes };
  if (direction === "pack" || nonTemporalPartsBytes > MOST_IMMEDIATE) return { partBytes: least, fullBytes: least };
  return { partBytes: Math.min(LEAST_NON_TEMPORAL_BYTES, least), fullBytes: nonTemporalPartsBytes };
}
