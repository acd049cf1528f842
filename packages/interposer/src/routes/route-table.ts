import { ownProfilePath, SHIPPED } from "@stowage/selector/profile-path";
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MpiFamily } from "../build/mpi-identity.js";
import { cacheFolders } from "../cache/cache-folders.js";
import { ownFolder } from "../cache/private-folder.js";
import { writeWhole } from "../cache/write-whole.js";
import type { Environment } from "../environment.js";
import { VERSION } from "../version.js";

/** Beside the compiled code: c/gpu/route-table.c reads it there, where STOWAGE_DEVICE_ROUTES names no other. */
export const tableName = (mpi: MpiFamily): string => `device-routes-${mpi}`;

/** The backend that knows of a GPU. */
const GPU = "cuda-generic";

/**
 * Keeps the user's table of routes for an MPI in step with the profile: made where the profile is new, removed where no
 * profile knows a GPU. Returns the table's text; undefined where there is none: the library's own serves. Throws what
 * the system says. What makes tables is loaded for a new profile alone: it is most of what a run would load.
 */
export async function keepRouteTable(
  mpi: MpiFamily,
  environment: Environment = process.env,
): Promise<string | undefined> {
  const path = join(ownFolder(cacheFolders(environment)[0]), tableName(mpi));
  const asked = environment["STOWAGE_PROFILE"] || undefined;
  const profile = asked ?? ownProfilePath();
  const figures = asked === SHIPPED ? undefined : textOf(profile);
  const isUnreadable = figures === undefined && asked !== undefined && asked !== SHIPPED;
  if (figures?.includes(GPU) !== true && !isUnreadable) return removed(path);
  const head = headOf(profile, figures ?? "", mpi);
  const before = textOf(path);
  if (before?.startsWith(head) === true) return before;
  const { foundRoutes } = await import("./route-text.js");
  const rules = foundRoutes(asked, mpi);
  if (rules === undefined) return removed(path);
  const text = head + rules;
  writeWhole(path, text);
  return text;
}

function removed(path: string): undefined {
  rmSync(path, { force: true });
  return undefined;
}

/** The table's name, and what it is of. */
function headOf(profile: string, figures: string, mpi: MpiFamily): string {
  const hash = createHash("sha256")
    .update(JSON.stringify([VERSION, mpi, figures]))
    .digest("hex");
  return `stowage-device-routes 2\n# ${hash.slice(0, 16)} of ${profile}\n`;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // none yet
  }
}
