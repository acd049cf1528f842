/** The end of a run. Deliberately not thenable: waiting in JavaScript is the caller's choice, never hidden. */
export interface Completion {
  /** Whether the bytes have moved. Throws the device's error where the run failed. */
  poll(): boolean;
  /** Returns when the bytes have moved. */
  wait(): void;
}

/** The completion of every run that is over when it returns; shared, so that a run allocates nothing. */
export const DONE: Completion = Object.freeze({
  poll: () => true,
  wait: () => undefined,
});
