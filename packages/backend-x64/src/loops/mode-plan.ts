import type { Blocks, LayoutNode, Stream } from "@stowage/ir";
import type { AnyLengthPlan } from "./any-length-plan.js";
import { chunksOf, type Chunk, type LoadsFirst } from "./chunks.js";
import type { LengthPlan } from "./length-plan.js";
import { widestMoveOf, type LoopContext } from "./loop-context.js";
import type { NodePlan } from "./node-plan.js";
import { planLength } from "./plan-length.js";
import { planNode } from "./plan-node.js";
import { planRuns } from "./plan-runs.js";
import { planStream } from "./plan-stream.js";
import { planWalk } from "./plan-walk.js";
import type { Choice } from "./rule.js";
import { anyLengthPlanOf } from "./rules/lengths/any-length.js";
import { isCalledMember } from "./rules/nodes/called.js";
import { slackOf, type Room } from "./rules/reads/slack.js";
import type { RunsPlan } from "./runs-plan.js";
import type { StreamPlan } from "./stream-plan.js";
import { unrolledPlanOf, type UnrolledPlan } from "./unrolled-plan.js";
import type { WalkPlan } from "./walk-plan.js";

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
  chunks(lengthBytes: number, room: Room, loadsFirst: LoadsFirst): readonly Chunk[] {
    return chunksOf(lengthBytes, widestMoveOf(this.context), slackOf(this.context, room), loadsFirst);
  }

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
