import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A table of routes with these lines; returns the variable that names it. */
export function routesOf(folder: string, lines: readonly string[]): string {
  const path = join(folder, `routes-${lines.join("-").replaceAll(" ", "-")}`);
  writeFileSync(path, ["stowage-device-routes 1", ...lines, ""].join("\n"));
  return `STOWAGE_DEVICE_ROUTES=${path}`;
}

/** A table of routes by which messages of so many bytes and more go past the host; returns the variable that names it. */
export const directFrom = (folder: string, bytes: number): string => routesOf(folder, [`direct ${bytes}`]);
