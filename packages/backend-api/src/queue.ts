/** An ordered stream of work on one device, such as a CUDA stream. What runs on the host needs none. */
export interface Queue extends Disposable {
  /** The number of the device that runs the work: CUDA's device ordinal, from 0. */
  readonly device: number;
  /** The driver's handle of the stream (CUstream), as a number. */
  readonly handle: number;
}
