import type { Backend, Conditions, Move } from "@stowage/backend-api";
import { packMove, unpackMove } from "@stowage/backend-api";
import { canonicalise, lower, type Datatype, type Layout } from "@stowage/ir";
import { choose } from "./choose.js";
import { packConditions, unpackConditions, type CommitOptions } from "./commit-options.js";
import { Committed, type Way } from "./committed.js";
import { InFlight } from "./in-flight.js";
import { KernelCache } from "./kernel-cache.js";

export interface EngineSettings {
  readonly backends: readonly Backend[];
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
  readonly #owned: readonly Disposable[];
  readonly #kernels = new KernelCache();
  readonly #inFlight = new InFlight();

  constructor({ backends, forced, owned = [] }: EngineSettings) {
    this.backends = backends;
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

  #way(move: Move, conditions: Conditions, forced: string | undefined): Way {
    const choice = choose(this.backends, [move], conditions, forced);
    return { choice, kernel: this.#kernels.kernelFor(choice.chosen, [move], conditions) };
  }

  /** Waits for packs and unpacks under way; plans must have been disposed of. */
  [Symbol.dispose](): void {
    this.#inFlight[Symbol.dispose]();
    this.#kernels[Symbol.dispose]();
    for (const resource of this.#owned) resource[Symbol.dispose]();
  }
}
