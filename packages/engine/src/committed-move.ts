import {
  DisposedError,
  DONE,
  type Backend,
  type Binding,
  type CapturablePlan,
  hostMemory,
  type Completion,
  type Conditions,
  type Kernel,
  type Move,
  type PlainCall,
  type Plan,
  type Span,
} from "@stowage/backend-api";
import type { PackedRange } from "@stowage/ir";
import { spanOf, type BufferLike } from "./buffer-like.js";
import {
  areRight,
  checkCallOptions,
  checkRangeOptions,
  writeRange,
  type CallOptions,
  type RangeOptions,
  type RangeRecord,
} from "./call-options.js";
import type { Choice } from "./choose.js";
import { EnginePlan } from "./engine-plan.js";
import type { EngineResources } from "./engine-resources.js";
import { onlyCourse } from "./course.js";
import type { KnownMemories } from "./host-spans.js";
import { CALLS_A_SAMPLE, type Observer } from "./observe.js";
import type { SharedKernel } from "./shared-kernel.js";
import { TieredKernels } from "./tiered-kernels.js";
import { TieredPlan } from "./tiered-plan.js";

const NOWHERE: Span = Object.freeze({ memory: hostMemory(new Uint8Array(0)), originBytes: 0 });

/**
 * A move whose backends have been chosen; kernels are compiled when first used, and let go of when it is disposed of.
 */
export class CommittedMove implements Disposable {
  // What calls read comes first: after a large move each line of this object is a miss of L1d.
  /** The short way of all further calls, once their kernel is settled and where nobody times them. */
  #plain: PlainCall | undefined;
  readonly #known: KnownMemories;
  /** Packed bytes of one element. */
  readonly #sizeBytes: number;
  /** Elements of a call that names no count. */
  readonly #defaultCount: number;
  readonly move: Move;
  readonly choice: Choice;
  readonly #conditions: Conditions;
  readonly #engine: EngineResources;
  /** The binding of calls, written anew by each; kernels keep none of it. */
  readonly #binding: { -readonly [Name in keyof Binding]: Binding[Name] };
  readonly #bindings: readonly Binding[];
  #tiers: TieredKernels | undefined;
  /** The kernel of all further calls, once that is settled. */
  #settled: SharedKernel | undefined;
  #untilSample = CALLS_A_SAMPLE;
  #disposed = false;

  constructor(move: Move, conditions: Conditions, choice: Choice, engine: EngineResources) {
    this.#known = engine.spans.known;
    this.move = move;
    this.choice = choice;
    this.#conditions = conditions;
    this.#engine = engine;
    this.#sizeBytes = move.source.sizeBytes;
    this.#defaultCount = conditions.count === "any" ? 1 : conditions.count;
    this.#binding = { source: NOWHERE, target: NOWHERE, count: 0, first: 0, length: 0 };
    this.#bindings = [this.#binding];
  }

  /**
   * Moves the bytes once; the caller waits or does not. V8 keeps the arguments of a call until it returns, for
   * deoptimising restores them: no collection takes their memory while code runs.
   */
  call(source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    const plain = this.#plain;
    if (plain !== undefined && areRight(options)) {
      const from = this.#known.get(source);
      const to = this.#known.get(target);
      if (from !== undefined && to !== undefined) {
        const { count = this.#defaultCount, first = 0 } = options;
        const { length = count * this.#sizeBytes - first } = options;
        if (plain.moves(from, 0, to, 0, count, first, length)) return DONE;
      }
    }
    return this.#carefulCall(source, target, options);
  }

  #carefulCall(source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    if (this.#engine.observer === undefined || --this.#untilSample > 0) return this.#call(source, target, options);
    return this.#timedCall(this.#engine.observer, source, target, options);
  }

  /** What had to be compiled or waited for is no measure. */
  #timedCall(observer: Observer, source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    const before = this.#settled;
    const begin = observer.nowNs();
    const completion = this.#call(source, target, options);
    const ns = observer.nowNs() - begin;
    const isWhole = options.first === undefined && options.length === undefined;
    this.#untilSample = CALLS_A_SAMPLE;
    if (completion === DONE && isWhole && before !== undefined && ns > 0)
      observer.observe(
        before.backend,
        [this.move],
        { ...this.#conditions, count: options.count ?? this.#defaultCount },
        ns,
      );
    return completion;
  }

  #call(source: BufferLike, target: BufferLike, options: CallOptions): Completion {
    this.#requireUsable();
    checkCallOptions(options);
    const shared = this.#settled ?? this.#use(options);
    const { kernel } = shared;
    const { inFlight } = this.#engine;
    if (kernel.call === undefined)
      return inFlight.run(this.#bind(kernel, source, target, options), shared, options.queue);
    try {
      this.#write(source, target, options);
      const completion = kernel.call(this.#bindings, options.queue);
      return completion === DONE ? DONE : inFlight.keep(completion, shared);
    } finally {
      // Until here the memory was held, so that no collection took it while code ran; nothing of the caller's is kept.
      this.#binding.source = NOWHERE;
      this.#binding.target = NOWHERE;
    }
  }

  /** A plan that the caller disposes of. */
  plan(source: BufferLike, target: BufferLike, options: RangeOptions): CapturablePlan {
    this.#requireUsable();
    checkRangeOptions(options);
    const { plans } = this.#engine;
    const plan = new EnginePlan(new TieredPlan(this.#kernels, this.#bindingOf(source, target, options)), (ended) => {
      plans.delete(ended);
    });
    plans.add(plan);
    return plan;
  }

  /** Ahead of its first use. */
  compile(): void {
    this.#last();
  }

  explain(): string {
    return this.#last().kernel.explain();
  }

  [Symbol.dispose](): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#settled = undefined;
    this.#plain = undefined;
    this.#tiers?.[Symbol.dispose]();
  }

  /** Chosen among when first used. */
  get #kernels(): TieredKernels {
    const compile = (backend: Backend) => this.#engine.kernels.hold(backend, [this.move], this.#conditions);
    return (this.#tiers ??= new TieredKernels(this.choice.courses ?? onlyCourse(this.choice.chosen), compile));
  }

  #requireUsable(): void {
    this.#engine.requireOpen();
    if (this.#disposed) throw new DisposedError("committed datatype");
  }

  #use({ count = this.#defaultCount }: RangeOptions): SharedKernel {
    const kernel = this.#kernels.use(count);
    this.#settle();
    return kernel;
  }

  #settle(): void {
    this.#settled = this.#kernels.settled;
    if (this.#engine.observer === undefined) this.#plain = this.#settled?.kernel.plainCall;
  }

  #last(): SharedKernel {
    this.#requireUsable();
    const kernel = this.#kernels.last(this.#defaultCount);
    this.#settle();
    return kernel;
  }

  #write(source: BufferLike, target: BufferLike, options: RangeOptions): void {
    const binding = this.#binding;
    writeRange(binding, options, this.#sizeBytes, this.#defaultCount);
    binding.source = this.#engine.spans.of("source", source);
    binding.target = this.#engine.spans.of("target", target);
  }

  #rangeOf(options: RangeOptions): PackedRange {
    const range: RangeRecord = { count: 0, first: 0, length: 0 };
    writeRange(range, options, this.#sizeBytes, this.#defaultCount);
    return range;
  }

  #bind(kernel: Kernel, source: BufferLike, target: BufferLike, options: RangeOptions): Plan {
    return kernel.bind([this.#bindingOf(source, target, options)]);
  }

  #bindingOf(source: BufferLike, target: BufferLike, options: RangeOptions): Binding {
    const range = this.#rangeOf(options);
    return { source: spanOf("source", source), target: spanOf("target", target), ...range };
  }
}
