/** The user asked to stop; the message says what was kept. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";
  /** The name of the signal, such as SIGINT. */
  readonly signal: string;

  constructor(command: string, signal: string, kept: string) {
    super(`${command}: expected to finish, got ${signal}; ${kept}`);
    this.signal = signal;
  }
}

/** Whether the user has asked to stop; what was measured until then is kept. */
export interface Interruption extends Disposable {
  /** Lets pending signals arrive, then tells whether one did. */
  seen(): Promise<boolean>;
  throwIfSeen(kept: string): void;
}

/** `command`: what the user asked to stop, as errors name it. */
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
