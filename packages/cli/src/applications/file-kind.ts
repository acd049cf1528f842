import { readText } from "../read-text.js";
import { APPLICATIONS_SCHEMA } from "./row.js";

const PROFILE_SCHEMA = "stowage-profile/1";

/** Whether a file is one of applications, or a profile that serves beside such. */
export const isOfApplications = (path: string): boolean => schemaOf(path) === APPLICATIONS_SCHEMA || isProfile(path);

export const isProfile = (path: string): boolean => schemaOf(path) === PROFILE_SCHEMA;

function schemaOf(path: string): string {
  try {
    return (JSON.parse(readText(path)) as { schema?: string } | null)?.schema ?? "";
  } catch {
    return "";
  }
}
