import type { Backend } from "@stowage/backend-api";
import { CpuBackend } from "@stowage/backend-cpu";

/** A backend that interprets as backend-cpu does, and tells what it compiled and which of its kernels live. */
export class CountingBackend implements Backend {
  readonly name: string;
  compiled = 0;
  live = 0;
  readonly #cpu = new CpuBackend();

  constructor(name = "own") {
    this.name = name;
  }

  supports: Backend["supports"] = (moves, given) => this.#cpu.supports(moves, given);
  predict: NonNullable<Backend["predict"]> = (moves, given, profile) => this.#cpu.predict(moves, given, profile);

  compile: Backend["compile"] = (moves, given) => {
    this.compiled++;
    return this.#cpu.compile(moves, given);
  };

  load: Backend["load"] = (artifact) => {
    const kernel = this.#cpu.load(artifact);
    this.live++;
    return {
      bind: (bindings) => kernel.bind(bindings),
      explain: () => kernel.explain(),
      [Symbol.dispose]: () => {
        this.live--;
        kernel[Symbol.dispose]();
      },
    };
  };
}
