import { DONE, type Completion, type Plan, type Queue } from "@stowage/backend-api";
import type { SharedKernel } from "./shared-kernel.js";

/** Runs under way, with what was made for each: it lives until their bytes have moved, however their caller waits. */
export class InFlight implements Disposable {
  #runs: readonly SingleRun[] = [];

  /** Runs a plan of a kernel, and disposes of it once the run is over; until then the kernel stays. */
  run(plan: Plan, kernel: SharedKernel, queue?: Queue): Completion {
    const completion = start(plan, queue);
    if (completion === DONE) {
      plan[Symbol.dispose]();
      return DONE;
    }
    return this.keep(completion, kernel, plan);
  }

  /** A run that has begun: its kernel stays until it is over, and so does what was made for it alone. */
  keep(completion: Completion, kernel: SharedKernel, made?: Disposable): Completion {
    this.#runs = this.#runs.filter((run) => !run.isOver());
    const run = new SingleRun(made, kernel, completion);
    this.#runs = [...this.#runs, run];
    return run;
  }

  /** Waits for every run; how one failed is told to those who wait for it. */
  [Symbol.dispose](): void {
    for (const run of this.#runs) run.finish();
    this.#runs = [];
  }
}

function start(plan: Plan, queue: Queue | undefined): Completion {
  try {
    return plan.run(queue);
  } catch (error) {
    plan[Symbol.dispose]();
    throw error;
  }
}

/** The only run of a plan that nobody else knows, or of a call. */
class SingleRun implements Completion {
  readonly #made: Disposable | undefined;
  readonly #kernel: SharedKernel;
  readonly #completion: Completion;
  #over = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(made: Disposable | undefined, kernel: SharedKernel, completion: Completion) {
    this.#made = made;
    this.#kernel = kernel;
    kernel.hold();
    this.#completion = completion;
  }

  poll(): boolean {
    const over = this.isOver();
    this.#throwFailure();
    return over;
  }

  wait(): void {
    this.finish();
    this.#throwFailure();
  }

  isOver(): boolean {
    return this.#settle(() => this.#completion.poll());
  }

  finish(): void {
    this.#settle(() => {
      this.#completion.wait();
      return true;
    });
  }

  #settle(ask: () => boolean): boolean {
    if (this.#over) return true;
    try {
      if (!ask()) return false;
    } catch (error) {
      this.#failure = { error };
    }
    this.#over = true;
    this.#made?.[Symbol.dispose]();
    this.#kernel.release();
    return true;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
