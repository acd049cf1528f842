/** The user asked to stop. The message says what was kept. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  /** The name of the signal, such as SIGINT. */
  readonly signal: string;

  /** Takes what was stopped, the signal, and what was kept. */
  constructor(command: string, signal: string, kept: string) {
    super(`${command}: expected to finish, got ${signal}; ${kept}`);
    this.signal = signal;
  }
}

/** Watches whether the user asks to stop; what was measured until then is kept. Disposing of it ends the watch. */
export interface Interruption extends Disposable {
  /** Lets pending signals arrive, then tells whether one did. */
  seen(): Promise<boolean>;
  /**
   * Throws an InterruptedError where the user asked to stop; `kept` is the part of its message that says what was kept.
   */
  throwIfSeen(kept: string): void;
}

/**
 * Starts to watch for SIGINT and SIGTERM, of which the first no longer ends the process. `command` is what the user
 * asks to stop, as errors name it.
 */
export function interruption(command: string): Interruption {
  let signal: string | undefined;
  const note = (received: string): void => {
    signal = received;
  };
  process.once("SIGINT", note).once("SIGTERM", note);
  return {
    async seen() {
      await new Promise((resolve) => setImmediate(resolve));
      return signal !== undefined;
    },
    throwIfSeen(kept) {
      if (signal !== undefined) throw new InterruptedError(command, signal, kept);
    },
    [Symbol.dispose]() {
      process.off("SIGINT", note).off("SIGTERM", note);
    },
  };
}
