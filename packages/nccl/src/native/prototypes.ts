import type { Calls } from "../calls.js";

/**
 * C parameter lists, as nccl.h 2.27 declares them; handles, streams and device addresses as integers, an ncclUniqueId
 * by value.
 */
export const PROTOTYPES = {
  ncclGetVersion: "void *",
  ncclGetUniqueId: "void *",
  ncclCommInitRank: "void *, int, StowageNcclUniqueId, int",
  ncclCommDestroy: "uintptr_t",
  ncclCommAbort: "uintptr_t",
  ncclCommGetAsyncError: "uintptr_t, void *",
  ncclGroupStart: "",
  ncclGroupEnd: "",
  ncclSend: "uintptr_t, size_t, int, int, uintptr_t, uintptr_t",
  ncclRecv: "uintptr_t, size_t, int, int, uintptr_t, uintptr_t",
} as const satisfies Record<keyof Calls, string>;
