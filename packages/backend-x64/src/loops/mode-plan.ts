import type { Blocks, LayoutNode, Stream } from "@stowage/ir";
import { walkOf, type WalkPlan } from "./blocks-plan.js";
import type { LoopContext } from "./loop-context.js";
import { wayOf, type Way } from "./node-plan.js";
import { planStream } from "./plan-stream.js";
import type { StreamPlan } from "./stream-plan.js";
import { unrolledPlanOf, type UnrolledPlan } from "./unrolled-plan.js";

/** The plans of a layout's nodes in one mode of a launch: each is made once, when it is first asked for. */
export class ModePlan {
  readonly context: LoopContext;
  /** The plans of a launch that the caches hold; these, where they are. */
  readonly cached: ModePlan;
  readonly #ways = new Map<LayoutNode, Way>();
  readonly #known = new Map<Stream, StreamPlan>();
  readonly #counted = new Map<Stream, StreamPlan>();
  readonly #unrolled = new Map<Stream, UnrolledPlan>();
  readonly #walks = new Map<Blocks, WalkPlan>();

  constructor(context: LoopContext, cached?: ModePlan) {
    this.context = context;
    this.cached = cached ?? this;
  }

  /** How all of a node is written where it stands. */
  way(node: LayoutNode): Way {
    return memoised(this.#ways, node, () => wayOf(this.context, node));
  }

  /** All children of a stream. */
  stream(node: Stream): StreamPlan {
    return memoised(this.#known, node, () => planStream(this.context, { node, most: node.count }));
  }

  /** As many children of a stream as are asked for when it runs. */
  countedStream(node: Stream): StreamPlan {
    return memoised(this.#counted, node, () => planStream(this.context, { node, most: Infinity }));
  }

  unrolled(node: Stream): UnrolledPlan {
    return memoised(this.#unrolled, node, () => unrolledPlanOf(this.context, node));
  }

  walk(node: Blocks): WalkPlan {
    return memoised(this.#walks, node, () => walkOf(this.context, node));
  }
}

function memoised<K, V>(known: Map<K, V>, key: K, make: () => V): V {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
