import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { InterposerError } from "../errors.js";

/** What terminals, users and batch systems end a build by. */
const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

/**
 * Work that compilers do. Where a signal ends this process meanwhile, they are ended first and `tidy` is called; then
 * the signal takes its course.
 */
export async function withCompilers<T>(work: (compilers: Compilers) => Promise<T>, tidy: () => void): Promise<T> {
  const compilers = new Compilers();
  let ended: NodeJS.Signals | undefined;
  const end = (signal: NodeJS.Signals): void => {
    ended ??= signal;
    compilers.end();
  };
  for (const signal of ENDINGS) process.on(signal, end);
  try {
    return await work(compilers);
  } finally {
    tidy();
    for (const signal of ENDINGS) process.off(signal, end);
    if (ended !== undefined) process.kill(process.pid, ended);
  }
}

/** Compilers under way, each with what it starts in a process group of its own. */
export class Compilers {
  readonly #groups = new Set<number>();
  #isOver = false;

  /** Ends all, and starts no more. */
  end(): void {
    this.#isOver = true;
    for (const group of this.#groups) process.kill(-group, "SIGKILL");
  }

  /** Commands, as many at once as there are processors; rejects when all are over, with what the first to fail said. */
  async callAll(commands: readonly (readonly [string, ...string[]])[]): Promise<void> {
    const waiting = [...commands];
    const inTurn = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [command, ...args] = next;
        await this.call(command, args);
      }
    };
    const lanes = Array.from({ length: availableParallelism() }, inTurn);
    await Promise.allSettled(lanes);
    await Promise.all(lanes);
  }

  /** What a command prints. */
  call(command: string, args: readonly string[]): Promise<string> {
    const refused = (got: string): InterposerError =>
      new InterposerError(`building the interposer: expected ${command} to succeed, got ${got.trim()}`);
    if (this.#isOver) return Promise.reject(refused("a signal"));
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { detached: true, stdio: ["ignore", "pipe", "pipe"] });
      const { pid } = child;
      if (pid !== undefined) this.#groups.add(pid);
      const [out, errors] = [child.stdout, child.stderr].map((stream) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        return (): string => Buffer.concat(chunks).toString();
      }) as [() => string, () => string];
      child.once("error", (error) => reject(refused(error.message)));
      child.once("close", (status, signal) => {
        if (pid !== undefined) this.#groups.delete(pid);
        if (status === 0) return resolve(out());
        const line = errors()
          .split("\n")
          .find((each) => /error/i.test(each));
        reject(refused(line ?? signal ?? `status ${status}`));
      });
    });
  }
}
