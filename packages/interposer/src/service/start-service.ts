import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { cacheFolders } from "../cache/cache-folders.js";
import { ownFolder, privateFolder } from "../cache/private-folder.js";
import type { Environment } from "../environment.js";
import { InterposerError } from "../errors.js";
import { VERSION } from "../version.js";
import { joined } from "./join.js";
import { descriptorOf, listening, type Listening } from "./listen.js";
import { isTold, TELLING, type Told } from "./tell.js";

const MAIN = fileURLToPath(new URL("../../dist/service/main.js", import.meta.url));
/**
 * A socket's path has at most 107 letters (unix(7)), those of a folder for a user, its name and a suffix among them.
 */
const LONGEST_FOLDER = 60;
/** Where both processes were stopped meanwhile, it has a moment more. */
const READY_WITHIN_MS = 15_000;
const MOMENT_MS = 5_000;

/** What there is to know and do of a service's process; a type of our own, so that declarations need none of Node's. */
export interface ServiceProcess {
  /** The process's number; absent where it could not be started. */
  readonly pid?: number | undefined;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): boolean;
  once(event: "exit", listener: (status: number | null, signal: string | null) => void): void;
}

/** A compile service that runs. */
export interface RunningService {
  /** The path of its socket, for STOWAGE_SERVICE. */
  readonly path: string;
  /** The process, where this call started it; another's is shared. */
  readonly process?: ServiceProcess | undefined;
  /** Lets go of it: it leaves when nobody has hold of it and its last client has gone, or when this process ends. */
  readonly end: () => void;
}

/** A service whose process may be starting still: who connects is served then. */
export interface BegunService extends RunningService {
  /** Rejects with an InterposerError where it cannot serve. */
  readonly ready: Promise<void>;
  /** What it has not answered yet, for people; undefined where that is nothing, or it is another's. */
  readonly unanswered: () => string | undefined;
}

/**
 * Starts the node's compile service for a cache, or joins one that runs already. A new one leaves when this process has
 * ended and its last client has gone.
 * @throws InterposerError where none can be started
 */
export async function startService(environment: Environment = process.env): Promise<RunningService> {
  const { path, process: child, ready, end } = await beginService(environment);
  await ready;
  return { path, ...(child === undefined ? {} : { process: child }), end };
}

/** When a service's process begins: at once, or with the first who connects, who is served all the same. */
export type Beginning = "at once" | "when asked";

/** The service as startService gives it, without waiting until it serves: its socket is there. */
export async function beginService(
  environment: Environment = process.env,
  beginning: Beginning = "at once",
): Promise<BegunService> {
  const { path, isTemporary } = socketPath(environment);
  const server = (await joined(path)) ?? (await listening(path));
  if (server === undefined) throw new InterposerError(`compile service: expected to listen at ${path}, got none`);
  if ("destroy" in server)
    return { path, ready: Promise.resolve(), unanswered: () => undefined, end: () => server.destroy() };
  const place = { path, isTemporary, environment, server };
  return beginning === "at once" ? spawned(place, []) : waiting(place);
}

/** Where a service is to serve. */
interface Place {
  readonly path: string;
  readonly isTemporary: boolean;
  readonly environment: Environment;
  readonly server: Listening;
}

function spawned({ path, isTemporary, environment, server }: Place, clients: readonly Socket[]): BegunService {
  const args = [MAIN, path, String(clients.length), ...(isTemporary ? ["temporary"] : [])];
  const files = clients.map((client) => descriptorOf(client) ?? "ignore");
  const child = spawn(process.execPath, args, {
    env: environment,
    stdio: ["pipe", "ignore", "pipe", "pipe", server.file, ...files],
  });
  // The process has them.
  server.close();
  for (const client of clients) client.destroy();
  return begun(path, child, isTemporary, environment["STOWAGE_VERBOSE"]);
}

/** What most runs never need: their code is in the cache, or they have none. */
function waiting(place: Place): BegunService {
  let service: BegunService | undefined;
  let isOver = false;
  const ready = place.server.asked.then((clients) => {
    if (isOver) for (const client of clients) client.destroy();
    else service = spawned(place, clients);
    return service?.ready;
  });
  const end = (): void => {
    isOver = true;
    if (service !== undefined) return service.end();
    place.server.close();
    removeSocket(place.path, place.isTemporary);
  };
  return {
    path: place.path,
    get process() {
      return service?.process;
    },
    ready,
    unanswered: () => service?.unanswered(),
    end,
  };
}

function removeSocket(path: string, isTemporary: boolean): void {
  rmSync(path, { force: true });
  if (isTemporary) rmSync(dirname(path), { recursive: true, force: true });
}

/**
 * Where the service of this user and this node for a cache listens: one folder a user, where nobody else may enter, one
 * name a cache, whatever path leads to that, and version of ours.
 */
function socketPath(environment: Environment): { readonly path: string; readonly isTemporary: boolean } {
  const { XDG_RUNTIME_DIR: runtime = "" } = environment;
  const { dev, ino } = lstatSync(ownFolder(cacheFolders(environment)[0]), { bigint: true });
  const name = `service-${createHash("sha256").update(`${VERSION} ${dev} ${ino}`).digest("hex").slice(0, 8)}`;
  const parents = runtime !== "" && runtime.length < LONGEST_FOLDER ? [runtime, "/tmp"] : ["/tmp"];
  for (const parent of parents)
    try {
      const folder = privateFolder(join(parent, `stowage-${process.geteuid?.()}`));
      if (dirname(folder).length < LONGEST_FOLDER) return { path: join(folder, name), isTemporary: false };
    } catch {
      // another user has taken the name, or there is no such folder
    }
  return { path: join(mkdtempSync("/tmp/stowage-"), name), isTemporary: true };
}

function begun(path: string, child: ChildProcess, isTemporary: boolean, verbose = ""): BegunService {
  const telling = child.stdio[TELLING] as Readable;
  let [waiting, lastLine, isReady] = [0, "", false];
  const isVerbose = verbose !== "" && verbose !== "0";
  createInterface(child.stderr as Readable).on("line", (line) => {
    lastLine = line;
    if (isVerbose) process.stderr.write(`${line}\n`);
  });
  const ready = new Promise<void>((resolve, reject) => {
    const refuse = (got: string): void => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      removeSocket(path, isTemporary);
      reject(new InterposerError(`compile service: expected one that listens, got ${got}`));
    };
    const late = (): void => refuse("no word from it");
    let timer = setTimeout(() => (timer = setTimeout(late, MOMENT_MS).unref()), READY_WITHIN_MS).unref();
    createInterface(telling).on("line", (line) => {
      const told = JSON.parse(line) as Told;
      if (isTold(told, "refused")) return refuse(told.refused);
      if (isTold(told, "waiting")) return void (waiting = told.waiting);
      clearTimeout(timer);
      isReady = true;
      resolve();
    });
    child.once("error", ({ message }) => refuse(message));
    child.once("close", () => refuse(lastLine === "" ? "none" : lastLine));
  });
  // It goes on by itself: nothing here waits for it any more.
  const letGo = (): void => {
    child.unref();
    for (const end of child.stdio) (end as Socket | null)?.unref();
  };
  ready.then(letGo, letGo);
  const unanswered = (): string | undefined =>
    isReady && waiting === 0
      ? undefined
      : isReady
        ? `code of ${waiting} datatypes was not ready`
        : "the compile service was still starting";
  return { path, process: child, ready, unanswered, end: () => void child.stdin?.end() };
}
