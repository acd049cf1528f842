import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Environment } from "../environment.js";
import { startService } from "./start-service.js";

/** The name under which programs over libstowage look for the service, in the folder of this user's sockets. */
const NAME = "serve";

/** A service that stays, and where it is found. */
export interface Serving {
  /** The path of the socket, for STOWAGE_SERVICE; programs over libstowage that are told nothing look there. */
  readonly path: string;
  /** Resolves when its process has ended by itself; never, where the service is another process's. */
  readonly ended: Promise<void>;
  /** Lets go of the service: it leaves when its last client has gone. */
  readonly end: () => void;
}

/**
 * Starts the node's compile service, for programs over libstowage as for ranks; one that runs already is shared.
 * `environment` says where the cache and the socket lie.
 * @throws InterposerError where none can be started
 */
export async function serve(environment: Environment = process.env): Promise<Serving> {
  const service = await startService(environment);
  const path = join(dirname(service.path), NAME);
  name(path, basename(service.path));
  const ended = new Promise<void>((resolve) => service.process?.once("exit", () => resolve()));
  const end = (): void => {
    if (target(path) === basename(service.path)) rmSync(path, { force: true });
    service.end();
  };
  return { path, ended, end };
}

/** The folder is this user's alone: whatever has the name was an earlier service's. */
function name(path: string, socket: string): void {
  rmSync(path, { force: true });
  symlinkSync(socket, path);
}

const target = (path: string): string | undefined =>
  lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
