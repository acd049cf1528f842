import { DONE, type Completion, type Plan, type Queue } from "@stowage/backend-api";

/** Plans that were made for one run each: they live until their bytes have moved, however their caller waits. */
export class InFlight implements Disposable {
  #runs: readonly SingleRun[] = [];

  /** Runs a plan, and disposes of it once the run is over. */
  run(plan: Plan, queue?: Queue): Completion {
    this.#runs = this.#runs.filter((run) => !run.isOver());
    const completion = start(plan, queue);
    if (completion === DONE) {
      plan[Symbol.dispose]();
      return DONE;
    }
    const run = new SingleRun(plan, completion);
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

/** The only run of a plan that nobody else knows. */
class SingleRun implements Completion {
  readonly #plan: Plan;
  readonly #completion: Completion;
  #over = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(plan: Plan, completion: Completion) {
    this.#plan = plan;
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
    this.#plan[Symbol.dispose]();
    return true;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
