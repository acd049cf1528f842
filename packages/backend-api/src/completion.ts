/**
 * Tells when a run is over. It is deliberately not thenable: waiting in JavaScript is the caller's choice, never
 * hidden.
 */
export interface Completion {
  /** Whether the bytes have moved. Does not wait. Throws the device's error, a DeviceError, where the run failed. */
  poll(): boolean;
  /** Waits, and blocks the thread, until the bytes have moved. Throws a DeviceError where the run failed. */
  wait(): void;
}

/** The completion of every run that is over when it returns. It is shared, so that a run allocates nothing. */
export const DONE: Completion = Object.freeze({
  poll: () => true,
  wait: () => undefined,
});
