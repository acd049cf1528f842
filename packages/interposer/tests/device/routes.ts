import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes a table of routes with these lines; returns its path. */
export function tableOf(folder: string, lines: readonly string[]): string {
  const path = join(folder, `routes-${lines.join("-").replaceAll(" ", "-")}`);
  writeFileSync(path, ["stowage-device-routes 2", ...lines, ""].join("\n"));
  return path;
}

/** The variable that names such a table. */
export const routesOf = (folder: string, lines: readonly string[]): string =>
  `STOWAGE_DEVICE_ROUTES=${tableOf(folder, lines)}`;

/**
 * A table of routes by which messages of so many bytes and more go from GPU memory to GPU memory; returns the variable
 * that names it.
 */
export const ipcFrom = (folder: string, bytes: number): string => routesOf(folder, [`ipc ${bytes}`]);
