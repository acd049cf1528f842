import type { Backend, Completion, Conditions, Move } from "@stowage/backend-api";
import { packMove, unpackMove } from "@stowage/backend-api";
import { canonicalise, lower, type Datatype, type Layout } from "@stowage/ir";
import { chooseFirst, type Choose } from "./choose.js";
import { packConditions, unpackConditions, type CommitOptions } from "./commit-options.js";
import { CommittedCopy } from "./committed-copy.js";
import { Committed, type Way } from "./committed.js";
import { moveBetween } from "./move-between.js";
import { copyConditions, type CommitCopyOptions, type CopyOptions } from "./copy-options.js";
import { InFlight } from "./in-flight.js";
import { KernelCache } from "./kernel-cache.js";
import type { Place } from "./place.js";

export interface EngineSettings {
  readonly backends: readonly Backend[];
  /** Chooses a backend for each datatype. Default: the first that supports it. */
  readonly choose?: Choose;
  /** The backend to use for everything, by name; a commit's own option goes before it. */
  readonly forced?: string;
  /** What the engine owns, and disposes of after its kernels. */
  readonly owned?: readonly Disposable[];
}

/** Commits datatypes: chooses a backend for each, compiles, and keeps what it compiled until it is disposed of. */
export class Engine implements Disposable {
  readonly backends: readonly Backend[];
  /** The backend that is used for everything, by name, unless a commit's own option names another. */
  readonly forced: string | undefined;
  readonly #choose: Choose;
  readonly #owned: readonly Disposable[];
  readonly #kernels = new KernelCache();
  readonly #inFlight = new InFlight();

  constructor({ backends, choose = chooseFirst, forced, owned = [] }: EngineSettings) {
    this.backends = backends;
    this.#choose = choose;
    this.forced = forced;
    this.#owned = owned;
  }

  /** Chooses and compiles for pack and unpack. Throws a NoBackendError where no backend takes the datatype. */
  commit(type: Datatype | Layout, options: CommitOptions = {}): Committed {
    const layout = canonicalise("root" in type ? type : lower(type));
    const forced = options.backend ?? this.forced;
    const ways = {
      pack: this.#way(packMove(layout), packConditions(options), forced),
      unpack: this.#way(unpackMove(layout), unpackConditions(options), forced),
    };
    return new Committed(layout, ways, this.#inFlight);
  }

  /**
   * Chooses and compiles for copies from elements of one datatype to elements of another: a transpose, ghost cells, an
   * array of structs that becomes arrays. Throws a DatatypeError where their signatures differ (of layouts, their sizes),
   * a NoBackendError where no backend takes the copy.
   */
  commitCopy(from: Datatype | Layout, to: Datatype | Layout, options: CommitCopyOptions = {}): CommittedCopy {
    const move = moveBetween(from, to);
    return new CommittedCopy(
      move,
      this.#way(move, copyConditions(options), options.backend ?? this.forced),
      this.#inFlight,
    );
  }

  /**
   * One copy of `from`, laid out as `fromType`, to `to`, laid out as `toType`, without a packed stream in between. Equal
   * types are compiled once. Throws as commitCopy and CommittedCopy.copy do.
   */
  copy(
    from: Place,
    fromType: Datatype | Layout,
    to: Place,
    toType: Datatype | Layout,
    options: CopyOptions = {},
  ): Completion {
    return this.commitCopy(fromType, toType, options).copy(from, to, options, options.queue);
  }

  #way(move: Move, conditions: Conditions, forced: string | undefined): Way {
    const choice = this.#choose(this.backends, [move], conditions, forced);
    return { choice, kernel: this.#kernels.kernelFor(choice.chosen, [move], conditions) };
  }

  /** Waits for packs and unpacks under way; plans must have been disposed of. */
  [Symbol.dispose](): void {
    this.#inFlight[Symbol.dispose]();
    this.#kernels[Symbol.dispose]();
    for (const resource of this.#owned) resource[Symbol.dispose]();
  }
}
