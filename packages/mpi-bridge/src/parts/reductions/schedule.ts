import { Status } from "../../message/requests/status.js";
import type { Request, Steps } from "../../message/requests/request.js";

/** An operation of several messages, step by step: it waits for the requests that it yields. */
export type Schedule = Generator<readonly Request[], void, void>;

/** Runs it to its end: each wait blocks inside MPI. */
export function runSchedule(schedule: Schedule): void {
  for (const requests of schedule) for (const request of requests) request.wait();
}

/** Steps of a schedule that goes on whenever somebody asks. */
export class ScheduleSteps implements Steps {
  readonly #schedule: Schedule;
  #waitsFor: readonly Request[] = [];
  #isDone = false;
  #error: unknown;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#advance();
  }

  get isOver(): boolean {
    while (!this.#isDone && this.#waitsFor.every((request) => request.peek())) this.#advance();
    return this.#isDone;
  }

  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#error !== undefined) throw this.#error as Error;
    return new Status(-1, -1, 0);
  }

  cancel(): void {
    this.#schedule.return();
    this.#isDone = true;
  }

  #advance(): void {
    try {
      for (const request of this.#waitsFor) request.wait();
      const { done, value } = this.#schedule.next();
      this.#isDone = done === true;
      this.#waitsFor = done === true ? [] : value;
    } catch (error) {
      this.#schedule.return();
      [this.#error, this.#isDone] = [error, true];
    }
  }
}
