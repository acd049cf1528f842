/** An ordered stream of work on one device. What runs on the host needs none. */
export interface Queue extends Disposable {
  /** The number of the device that runs the work: CUDA's device ordinal, from 0. */
  readonly device: number;
  /** The driver's handle, as a number. */
  readonly handle: number;
}
