/** Bytes of an ncclUniqueId. */
export const UNIQUE_ID_BYTES = 128;

/**
 * The calls of libnccl that we make, by the names it exports them under. Each returns an ncclResult_t; handles, sizes
 * and addresses are safe integers; outputs go to the views passed for them. NCCL user guide, "NCCL API".
 */
export interface Calls {
  ncclGetVersion: (version: Int32Array) => number;
  ncclGetUniqueId: (id: Uint8Array) => number;
  ncclCommInitRank: (comm: BigUint64Array, ranks: number, id: Uint8Array, rank: number) => number;
  ncclCommDestroy: (comm: number) => number;
  ncclCommAbort: (comm: number) => number;
  ncclCommGetAsyncError: (comm: number, result: Int32Array) => number;
  ncclGroupStart: () => number;
  ncclGroupEnd: () => number;
  ncclSend: (address: number, count: number, type: number, peer: number, comm: number, stream: number) => number;
  ncclRecv: (address: number, count: number, type: number, peer: number, comm: number, stream: number) => number;
}

/** libnccl, or what stands in for it. */
export interface Libnccl extends Calls {
  /** NCCL's text of a result. */
  errorText: (result: number) => string;
  /** What NCCL said last of an error of this process; empty where it said nothing, or is older than 2.13. */
  lastError: () => string;
}
