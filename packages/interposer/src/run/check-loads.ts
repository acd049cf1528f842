import { spawnSync } from "node:child_process";
import { InterposerError } from "../errors.js";

/**
 * The loader goes on without a library that it cannot map, but says so in every process: noexec, another processor's,
 * damaged.
 */
export function checkLoads(libraries: readonly string[]): void {
  const { stderr } = spawnSync("/bin/true", [], { env: { LD_PRELOAD: libraries.join(":") }, encoding: "utf8" });
  if (typeof stderr !== "string" || stderr === "") return;
  const named = libraries.filter((each) => stderr.includes(each));
  throw new InterposerError(
    `${(named.length === 0 ? libraries : named).join(", ")}: expected a library that loads, got ${stderr.trim().replaceAll(/\s*\n\s*/g, " ")}`,
  );
}
