import { StowageError } from "@stowage/ir";
import type { Libcuda } from "./calls.js";
import { adviceFor, isLoss, SUCCESS } from "./results.js";

/**
 * A call of the driver that failed: one line with the call, CUDA's own name and text, and what to do. Its code is
 * "STOWAGE_DRIVER".
 */
export class DriverError extends StowageError {
  override readonly name = "DriverError";
  /** The name of the call, or of what was wrong. */
  readonly call: string;
  /**
   * The CUresult; undefined where the fault lies outside a call (no library, too old a driver, an object that was
   * disposed of).
   */
  readonly result: number | undefined;

  /** Makes the message `call: text`. */
  constructor(call: string, result: number | undefined, text: string, options?: ErrorOptions) {
    super("STOWAGE_DRIVER", `${call}: ${text}`, options);
    this.call = call;
    this.result = result;
  }
}

/** The error that lost the devices of a libcuda to this process. */
const losses = new WeakMap<Libcuda, string>();

/** The one line of the error after which no call succeeds any more; undefined where there was none. */
export const lossOf = (libcuda: Libcuda): string | undefined => losses.get(libcuda);

/** Throws a DriverError unless `result` is CUDA_SUCCESS. Every status code of libcuda passes here. */
export function check(libcuda: Libcuda, call: string, result: number, detail?: string): void {
  if (result !== SUCCESS) throw driverError(libcuda, call, result, detail);
}

export function driverError(libcuda: Libcuda, call: string, result: number, detail?: string): DriverError {
  const advice = detail ?? adviceFor(result);
  const text = `${libcuda.errorName(result)} (${libcuda.errorText(result)})`;
  const error = new DriverError(call, result, advice === undefined ? text : `${text}: ${advice}`);
  if (isLoss(result) && !losses.has(libcuda)) losses.set(libcuda, error.message);
  return error;
}

/** Use of an object after it was disposed of. */
export function requireInUse(subject: string, disposed: boolean): void {
  if (disposed) throw new DriverError(subject, undefined, "expected one in use, got a disposed one");
}
