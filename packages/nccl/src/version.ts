import { NcclError } from "./nccl-error.js";

/** NCCL_VERSION: from 2.9 on major * 10000 + minor * 100 + patch, before that major * 1000 (nccl.h). */
export function versionText(version: number): string {
  const thousands = version < 10_000 ? 1000 : 10_000;
  const [major, rest] = [Math.floor(version / thousands), version % thousands];
  return `${major}.${Math.floor(rest / 100)}.${rest % 100}`;
}

/** The first with ncclSend and ncclRecv, as 2.7.3 tells itself; and the first that may break. */
const [OLDEST, TOO_NEW] = [2700, 30_000];

/** Throws an NcclError for a version that has no sends and receives, or may have others. */
export function requireVersion(version: number): number {
  if (version >= OLDEST && version < TOO_NEW) return version;
  throw new NcclError("ncclGetVersion", `expected NCCL 2.7 or later, before 3, got ${versionText(version)}`);
}
