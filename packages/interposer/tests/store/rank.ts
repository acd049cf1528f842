import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

/** A process of tests/store/rank.c, one command and one answer at a time. */
export class Rank implements Disposable {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has printed on standard error. */
  said = "";
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, environment: NodeJS.ProcessEnv, args: readonly string[] = []) {
    this.process = spawn(program, args, { env: { ...process.env, STOWAGE_VERBOSE: "1", ...environment } });
    this.process.stderr.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    this.#answers = createInterface(this.process.stdout)[Symbol.asyncIterator]();
  }

  async ask(command: string): Promise<string> {
    this.process.stdin.write(`${command}\n`);
    const answer = (await this.#answers.next()) as IteratorResult<string, undefined>;
    if (answer.done === true)
      throw new Error(`rank: expected an answer to ${command.slice(0, 40)}, got its end: ${this.said}`);
    return answer.value;
  }

  /** Commits a described type; its number. */
  readonly commit = (description: Uint8Array): Promise<string> =>
    this.ask(`entry ${Buffer.from(description).toString("hex")}`);

  /** Whether a type gets code; how long one that should gets it may take, and one that should not is waited for. */
  readonly getsCode = async (type: string, withinMs = 5_000): Promise<boolean> =>
    (await this.ask(`await ${type} ${withinMs}`)) === "1";

  /** Ends it orderly; its exit status. */
  async end(): Promise<number | null> {
    this.process.stdin.end();
    return this.process.exitCode ?? new Promise((resolve) => this.process.once("exit", resolve));
  }

  [Symbol.dispose](): void {
    this.process.kill("SIGKILL");
  }
}
