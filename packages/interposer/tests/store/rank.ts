import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

/** A process of tests/store/rank.c, one command and one answer at a time. */
export class Rank implements Disposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has printed on standard error. */
  said = "";
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, environment: NodeJS.ProcessEnv) {
    this.process = spawn(program, { env: { ...process.env, STOWAGE_VERBOSE: "1", ...environment } });
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    this.#answers = createInterface(this.process.stdout)[Symbol.asyncIterator]();
  }

  async ask(command: string): Promise<string> {
    this.process.stdin.write(`${command}\n`);
    const { value, done }: IteratorResult<string, unknown> = await this.#answers.next();
    if (done === true)
      throw new Error(`rank: expected an answer to ${command.slice(0, 40)}, got its end: ${this.said}`);
    return value as string;
  }

  /** Commits a described type; its number. */
  readonly commit = (description: Uint8Array): Promise<string> =>
    this.ask(`entry ${Buffer.from(description).toString("hex")}`);

  /** Ends it orderly; its exit status. */
  async end(): Promise<number | null> {
    this.process.stdin.end();
    return this.process.exitCode ?? new Promise((resolve) => this.process.once("exit", resolve));
  }

  [Symbol.dispose](): void {
    this.process.kill("SIGKILL");
  }
}
