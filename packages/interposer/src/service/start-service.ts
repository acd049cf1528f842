import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { privateFolder } from "../cache/private-folder.js";
import type { Environment } from "../environment.js";
import { InterposerError } from "../errors.js";
import { VERSION } from "../version.js";
import { isAlive } from "./listen.js";

/** What the service's process prints: it listens; another listens there already. */
export const READY = "ready\n";
export const TAKEN = "taken\n";

const MAIN = fileURLToPath(new URL("../../dist/service/main.js", import.meta.url));
/** A socket's path has at most 107 letters (unix(7)). */
const LONGEST_FOLDER = 70;
const READY_WITHIN_MS = 15_000;
const MOMENT_MS = 5_000;

/** What there is to know and do of a service's process; a type of our own, so that declarations need none of Node's. */
export interface ServiceProcess {
  readonly pid?: number | undefined;
  readonly stdin: { end(): void } | null;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean;
  once(event: "exit", listener: (status: number | null, signal: string | null) => void): void;
}

export interface RunningService {
  /** For STOWAGE_SERVICE. */
  readonly path: string;
  /** The process, where this call started it; another's is shared. */
  readonly process?: ServiceProcess;
}

/** Where this node's service of this user listens: one folder a user, where nobody else may enter. */
function socketPath(environment: Environment): string {
  const { XDG_RUNTIME_DIR: runtime = "" } = environment;
  const parent = runtime !== "" && runtime.length < LONGEST_FOLDER ? runtime : "/tmp";
  try {
    return join(privateFolder(join(parent, `stowage-${process.geteuid?.()}`)), `service-${VERSION}`);
  } catch {
    return join(mkdtempSync("/tmp/stowage-"), `service-${VERSION}`); // another user has taken the name
  }
}

/**
 * The node's compile service: one that runs already, or a new one, which leaves when this process has ended and its
 * last client has gone.
 * @throws InterposerError where none can be started
 */
export async function startService(environment: Environment = process.env): Promise<RunningService> {
  const path = socketPath(environment);
  if (await isAlive(path)) return { path };
  const child = spawn(process.execPath, [MAIN, path], { env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const said = await firstLine(child);
  if (said === TAKEN) return { path };
  if (said !== READY) child.kill("SIGKILL");
  if (said !== READY)
    throw new InterposerError(`compile service: expected one that listens, got ${said.trim() || "none"}`);
  // It goes on by itself: nothing here waits for it. Its lines are the user's to see.
  child.stderr.pipe(process.stderr, { end: false });
  child.unref();
  for (const end of [child.stdin, child.stdout, child.stderr]) if (end instanceof Socket) end.unref();
  return { path, process: child };
}

/** What it prints first: on standard output where it listens, else why not. */
function firstLine(child: ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream }) {
  return new Promise<string>((resolve) => {
    // Where both processes were stopped meanwhile, it has a moment more.
    let timer = setTimeout(() => (timer = setTimeout(() => resolve("no word from it"), MOMENT_MS)), READY_WITHIN_MS);
    const settle = (text: unknown) => {
      clearTimeout(timer);
      child.stderr.removeListener("data", settle);
      resolve(String(text));
    };
    child.stdout.once("data", settle);
    child.stderr.once("data", settle);
    child.once("error", ({ message }) => settle(message));
    child.once("exit", () => setImmediate(settle, ""));
  });
}
