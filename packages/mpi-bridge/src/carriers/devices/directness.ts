/** A way that messages may take, or why they may not. */
type Way = { readonly isOpen: true } | Closed;

export interface Closed {
  readonly isOpen: false;
  readonly reason: string;
}

export const closed = (reason: string): Closed => ({ isOpen: false, reason });

/** What stands in the way of messages from GPU to GPU: nothing, or a reason. */
export interface Directness {
  /** By kernels that reach the other GPU's memory (CUDA IPC). */
  readonly ipc: { readonly isOpen: true; readonly onOneGpu: boolean } | Closed;
  /** By NCCL; absent where nobody asked for it. */
  readonly nccl?: Way;
}
