import { homedir } from "node:os";
import { join } from "node:path";

// Apart from what reads profiles: who asks where one would be often finds that there is none.

const VARIABLE = "STOWAGE_PROFILE";

/** As the variable's value: no file, the shipped figures. */
export const SHIPPED = "shipped";

/**
 * The path of this user's profile of this machine: stowage/profile.json under XDG_DATA_HOME, or else ~/.local/share
 * (XDG Base Directory Specification). The file need not be there.
 */
export function ownProfilePath(): string {
  const data = process.env["XDG_DATA_HOME"] || join(homedir(), ".local", "share");
  return join(data, "stowage", "profile.json");
}

/** What the environment asks for; undefined where nothing does. */
export const askedProfile = (): string | undefined => process.env[VARIABLE] || undefined;
