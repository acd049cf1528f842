import { findProfile, type FoundProfile } from "@stowage/selector";
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { MpiFamily } from "../build/mpi-identity.js";
import { cacheFolders } from "../cache/cache-folders.js";
import { ownFolder } from "../cache/private-folder.js";
import type { Environment } from "../environment.js";
import { VERSION } from "../version.js";
import { routeRules, type RouteRule } from "./route-rules.js";
import { RouteTimes } from "./route-times.js";

/** Beside the compiled code: c/gpu/route-table.c reads it there, where STOWAGE_DEVICE_ROUTES names no other. */
export const tableName = (mpi: MpiFamily): string => `device-routes-${mpi}`;
/** From which on messages of one host go from GPU memory to GPU memory: c/gpu/route-table.c. */
const IPC_BYTES = 1024;

/**
 * Keeps the user's table of routes for an MPI in step with the profile: made where the profile is new, removed where no
 * profile knows a GPU. Returns the table's text; undefined where there is none: the library's own serves. Throws what
 * the system says.
 */
export function keepRouteTable(mpi: MpiFamily, environment: Environment = process.env): string | undefined {
  const path = join(ownFolder(cacheFolders(environment)[0]), tableName(mpi));
  const found = findProfile(environment["STOWAGE_PROFILE"] || undefined);
  if (found.document?.figures["cuda-generic"] === undefined) {
    rmSync(path, { force: true });
    return undefined;
  }
  const head = headOf(found, mpi);
  const before = textOf(path);
  if (before?.startsWith(head) === true) return before;
  const text = head + routeTable(found, mpi);
  replace(path, text);
  return text;
}

/** The table's name, and what it is of. */
function headOf({ path, document }: FoundProfile, mpi: MpiFamily): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([VERSION, mpi, document]))
    .digest("hex");
  return `stowage-device-routes 2\n# ${hash.slice(0, 16)} of ${path}\n`;
}

function routeTable({ profile }: FoundProfile, mpi: MpiFamily): string {
  const times = new RouteTimes(profile, mpi);
  const rules = routeRules((route, bytes, blockBytes) => times.ofMessage(route, bytes, blockBytes));
  return [`ipc ${IPC_BYTES}`, `launch ${times.launchBytes}`, ...rules.map(ruleText), ""].join("\n");
}

const ruleText = ({ bytes, blockBytes, route }: RouteRule): string => `route ${bytes} ${blockBytes} ${route}`;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // none yet
  }
}

/** Written beside and renamed: other runs may be reading. */
function replace(path: string, text: string): void {
  const beside = `${path}.${randomUUID()}.new`;
  writeFileSync(beside, text, { mode: 0o600, flag: "wx" });
  renameSync(beside, path);
}
