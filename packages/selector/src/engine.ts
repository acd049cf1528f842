import type { Backend, Conditions, Move } from "@stowage/backend-api";
import { packMove, unpackMove } from "@stowage/backend-api";
import { canonicalise, lower, type Datatype, type Layout } from "@stowage/ir";
import { packConditions, unpackConditions, type CommitOptions } from "./commit-options.js";
import { Committed, type Way } from "./committed.js";
import { KernelCache } from "./kernel-cache.js";
import { choose } from "./preference.js";

export interface EngineSettings {
  readonly backends: readonly Backend[];
  /** The backend to use for everything, by name; a commit's own option goes before it. */
  readonly forced?: string;
}

/** Commits datatypes: chooses a backend for each, compiles, and keeps what it compiled until it is disposed of. */
export class Engine implements Disposable {
  readonly backends: readonly Backend[];
  readonly #forced: string | undefined;
  readonly #kernels = new KernelCache();

  constructor({ backends, forced }: EngineSettings) {
    this.backends = backends;
    this.#forced = forced;
  }

  /** Chooses and compiles for pack and unpack. Throws a NoBackendError where no backend takes the datatype. */
  commit(type: Datatype | Layout, options: CommitOptions = {}): Committed {
    const layout = canonicalise("root" in type ? type : lower(type));
    const forced = options.backend ?? this.#forced;
    return new Committed(layout, {
      pack: this.#way(packMove(layout), packConditions(options), forced),
      unpack: this.#way(unpackMove(layout), unpackConditions(options), forced),
    });
  }

  #way(move: Move, conditions: Conditions, forced: string | undefined): Way {
    const choice = choose(this.backends, [move], conditions, forced);
    return { choice, kernel: this.#kernels.kernelFor(choice.chosen, [move], conditions) };
  }

  [Symbol.dispose](): void {
    this.#kernels[Symbol.dispose]();
  }
}
