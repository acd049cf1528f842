import type { Backend, Kernel } from "@stowage/backend-api";

/** A kernel with several holders: committed datatypes, their plans, and runs that are not over. */
export class SharedKernel implements Disposable {
  readonly kernel: Kernel;
  /** Whose it is. */
  readonly backend: Backend;
  readonly #whenUnused: () => void;
  #holders = 0;

  constructor(kernel: Kernel, backend: Backend, whenUnused: () => void) {
    this.kernel = kernel;
    this.backend = backend;
    this.#whenUnused = whenUnused;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    this.#holders--;
    if (this.#holders === 0) this.#whenUnused();
  }

  [Symbol.dispose](): void {
    this.kernel[Symbol.dispose]();
  }
}
