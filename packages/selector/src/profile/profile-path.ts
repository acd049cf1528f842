import { homedir } from "node:os";
import { join } from "node:path";

// Apart from what reads profiles: who asks where one would be often finds that there is none.

const VARIABLE = "STOWAGE_PROFILE";

/** As the variable's value: no file, the shipped figures. */
export const SHIPPED = "shipped";

/** Where a machine's own profile lies: of this user, by the XDG base directory specification. */
export function ownProfilePath(): string {
  const data = process.env["XDG_DATA_HOME"] || join(homedir(), ".local", "share");
  return join(data, "stowage", "profile.json");
}

/** What the environment asks for; undefined where nothing does. */
export const askedProfile = (): string | undefined => process.env[VARIABLE] || undefined;
