import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { SCHEMA, type Machine, type ResultRow, type Results } from "./schema.js";

/** What a run of bench knows before its first row. */
export type Heading = Omit<Results, "rows">;

export function heading(command: string, gpu: Pick<Machine, "gpu" | "driver">): Heading {
  const processors = cpus();
  return {
    schema: SCHEMA,
    command,
    date: new Date().toISOString(),
    commit: commitHash(),
    machine: {
      cpu: processors[0]?.model ?? "unknown",
      cores: Math.max(1, processors.length),
      ...gpu,
      node: process.version,
    },
  };
}

/** Writes whole files only: a reader never sees half of one, whatever interrupts us. */
export function writeResults(path: string, head: Heading, rows: readonly ResultRow[]): void {
  const draft = `${path}.part`;
  writeFileSync(draft, `${JSON.stringify({ ...head, rows }, null, 1)}\n`);
  renameSync(draft, path);
}

/** Of the checkout that the command runs in; where there is none, as on a machine that got a bundle, of STOWAGE_COMMIT. */
function commitHash(): string {
  const told = process.env["STOWAGE_COMMIT"];
  if (told !== undefined) return told;
  try {
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] } satisfies ExecFileSyncOptionsWithStringEncoding;
    const hash = execFileSync("git", ["rev-parse", "--short=12", "HEAD"], options).trim();
    const dirty = execFileSync("git", ["status", "--porcelain", "-uno"], options).trim() !== "";
    return dirty ? `${hash}+` : hash;
  } catch {
    return "unknown";
  }
}
