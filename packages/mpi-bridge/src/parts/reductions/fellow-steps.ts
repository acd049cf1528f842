import type { Request, Steps } from "../../message/requests/request.js";
import type { Status } from "../../message/requests/status.js";
import { giveUp } from "../endpoint.js";

/** A reduction that only programs of this package can end, while it is not known whether all ranks are. */
export class FellowSteps implements Steps {
  readonly #reduction: Request;
  readonly #haveCome: () => boolean;

  /** `haveCome` throws once they are late. */
  constructor(reduction: Request, haveCome: () => boolean) {
    this.#reduction = reduction;
    this.#haveCome = haveCome;
  }

  get isOver(): boolean {
    try {
      return this.#haveCome() && this.#reduction.peek();
    } catch {
      return true;
    }
  }

  poll(): Status | undefined {
    try {
      return this.#haveCome() ? this.#reduction.test() : undefined;
    } catch (error) {
      giveUp(this.#reduction);
      throw error;
    }
  }
}
