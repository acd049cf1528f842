import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A table of routes by which messages of so many bytes and more go past the host; returns the variable that names it. */
export function directFrom(folder: string, bytes: number): string {
  const path = join(folder, `routes-${bytes}`);
  writeFileSync(path, `stowage-device-routes 1\ndirect ${bytes}\n`);
  return `STOWAGE_DEVICE_ROUTES=${path}`;
}
