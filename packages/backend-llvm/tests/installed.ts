import { conditions } from "@stowage/backend-api";
import { LlvmBackend, type LlvmOptions } from "../src/index.js";

/** Why nothing can be compiled with these options here; undefined where it can. */
export function reasonAgainst(options: LlvmOptions = {}): string | undefined {
  const support = new LlvmBackend(options).supports([], conditions());
  return support.ok ? undefined : support.reason;
}
