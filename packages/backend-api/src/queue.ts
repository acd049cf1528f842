/** An ordered stream of work on one device. What runs on the host needs none. */
export interface Queue extends Disposable {
  /** The ordinal of the device. */
  readonly device: number;
  /** The driver's handle, as a number. */
  readonly handle: number;
}
