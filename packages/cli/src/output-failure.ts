import type { Writable } from "node:stream";

/** What became of a stream that is written to: pipes tell of errors only after the write. */
export interface OutputWatch {
  /** Waits until all is written; the error that stopped it, unless the reader has simply had enough. */
  settled(): Promise<NodeJS.ErrnoException | undefined>;
}

/** Keeps a stream's errors from ending the process: `stowage ... | head` closes the pipe, and that is no error. */
export function watchOutput(stream: Writable): OutputWatch {
  let failure: NodeJS.ErrnoException | undefined;
  stream.on("error", (error) => (failure ??= error));
  return {
    async settled() {
      if (!stream.destroyed && failure === undefined)
        await new Promise<void>((resolve) => stream.write("", () => setImmediate(resolve)));
      return failure?.code === "EPIPE" ? undefined : failure;
    },
  };
}
