import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { decodeLine, type Answers, type Failed, type Hello, type PeerSpec, type Request } from "../protocol.js";
import { Printed } from "./printed.js";

/** A contender cannot take part, or no longer: the message says who and why, in one line. */
export class PeerError extends Error {
  override readonly name = "PeerError";
}

/** How the process of a contender is started. */
export interface ChildOptions {
  /**
   * The path of the script, which calls servePeer. It must be built JavaScript, for the process has no loader for
   * sources.
   */
  readonly script: string;
  /** The number of the processor to stay on. Absent: any. */
  readonly processor?: number | undefined;
  /** The descriptor of the file that its cells lie in. Absent: in memory of its own. */
  readonly memoryFile?: number | undefined;
  /**
   * The longest wait for an answer, in milliseconds; a contender that does not answer is left out. Default: 120,000.
   */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 120e3;

/** A child's descriptor of the first file that it is given beside its standard streams. */
const FIRST_FILE = 3;

/** Open MPI refuses to start as root without these two; containers have no other user. */
const OPEN_MPI_AS_ROOT = { OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1" };

/** A contender in a process of its own. Whatever happens to that process happens to nobody else. */
export class PeerChild {
  /** What its libraries printed. */
  readonly printed = new Printed();
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #patienceMs: number;
  #name: string;
  #pinned = false;
  #copiesStream = false;
  #lost: PeerError | undefined;
  #waiting: { readonly resolve: (message: unknown) => void; readonly reject: (error: PeerError) => void } | undefined;

  /** Starts a contender. Throws a PeerError where it cannot take part. */
  static async start(spec: PeerSpec, options: ChildOptions): Promise<PeerChild> {
    if (!existsSync(options.script))
      throw new PeerError(`contender: expected the built script ${options.script}, got none; build first`);
    const child = new PeerChild(spec, options);
    const hello = (await child.#next()) as Hello;
    if ("refused" in hello) {
      await child.end();
      throw new PeerError(hello.refused);
    }
    child.#name = hello.name;
    child.#pinned = hello.pinned;
    child.#copiesStream = hello.copiesStream;
    return child;
  }

  private constructor(spec: PeerSpec, { script, processor, memoryFile, patienceMs = PATIENCE_MS }: ChildOptions) {
    this.#name = spec.title;
    this.#patienceMs = patienceMs;
    const files = memoryFile === undefined ? [] : [memoryFile];
    const settings = JSON.stringify({ processor, ...(memoryFile === undefined ? {} : { memoryFile: FIRST_FILE }) });
    const env = { ...OPEN_MPI_AS_ROOT, ...process.env };
    this.#process = spawn(process.execPath, [script, JSON.stringify(spec), settings], {
      env,
      detached: true, // a group of its own: control-C at the terminal is for the parent alone
      stdio: ["pipe", "pipe", "pipe", ...files],
    }) as ChildProcessWithoutNullStreams;
    this.#process.on("error", (error) => this.#lose(error.message));
    this.#process.on("close", (code, signal) =>
      this.#lose(`its process ended ${signal === null ? `with code ${code}` : `by ${signal}`}`),
    );
    this.#process.stdin.on("error", () => undefined); // its end is reported by "close"
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#hear(line));
    createInterface({ input: this.#process.stderr }).on("line", (line) => this.printed.add(line));
  }

  /** Such as `x64` or `openmpi-4.1.4`. */
  get name(): string {
    return this.#name;
  }

  /** Whether it stays on its processor. */
  get pinned(): boolean {
    return this.#pinned;
  }

  /** Whether it copies the packed stream, whatever the datatype. */
  get copiesStream(): boolean {
    return this.#copiesStream;
  }

  /** Whether its process can still be asked. */
  get alive(): boolean {
    return this.#lost === undefined;
  }

  /** Asks, and waits for the answer. Throws a PeerError where the contender cannot give one, or its process is gone. */
  async ask<Asked extends Request>(request: Asked): Promise<Answers[Asked["ask"]]> {
    if (this.#lost !== undefined) throw this.#lost;
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    const answer = (await this.#next()) as Answers[Asked["ask"]] | Failed;
    if ("failed" in answer) throw new PeerError(`${this.#name}: ${answer.failed}`);
    return answer;
  }

  /** Lets the process end by itself, and sees to it that it does. */
  async end(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const closed = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.stdin.end();
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 5000);
    await closed;
    clearTimeout(timer);
  }

  #next(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      const timer = setTimeout(() => {
        this.#lose(`no answer came within ${this.#patienceMs / 1e3} s`);
        this.#process.kill("SIGKILL");
      }, this.#patienceMs);
      const settle =
        <T>(how: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          this.#waiting = undefined;
          how(value);
        };
      this.#waiting = { resolve: settle(resolve), reject: settle(reject) };
    });
  }

  #hear(line: string): void {
    const { message, printed } = decodeLine(line);
    if (printed !== "") this.printed.add(printed);
    if (message !== undefined) this.#waiting?.resolve(message);
  }

  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    const words = this.printed.summary();
    const printed = words === undefined ? "" : `; it printed: ${words}`;
    this.#lost = new PeerError(`${this.#name}: expected to take part to the end, but ${reason}${printed}`);
    this.#waiting?.reject(this.#lost);
  }
}
