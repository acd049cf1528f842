import type { Libnccl } from "./calls.js";
import { NcclError } from "./nccl-error.js";
import { SUCCESS } from "./results.js";

/** Throws an NcclError unless `result` is ncclSuccess. Every status code of libnccl passes here. */
export function check(libnccl: Libnccl, call: string, result: number): void {
  if (result === SUCCESS) return;
  const last = libnccl.lastError();
  throw new NcclError(call, `${libnccl.errorText(result)}${last === "" ? "" : ` (${last})`}`);
}
