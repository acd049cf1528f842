import { koffi } from "../native/koffi.js";

const RTLD_NOW = 2;
const RTLD_NODELETE = 0x1000;

/**
 * A library that koffi has loaded stays until the process ends, though koffi unloads it when Node's environment ends:
 * Open MPI 5.0 leaves functions with UCX and PMIx that are called after that (dlopen(3), RTLD_NODELETE).
 */
export function keepLoaded(path: string): void {
  const dlopen = koffi().load(null).func("void *dlopen(const char *, int)") as (path: string, flags: number) => unknown;
  dlopen(path, RTLD_NOW | RTLD_NODELETE);
}
