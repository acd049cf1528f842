import { DeviceError } from "@stowage/backend-api";
import { DriverError } from "@stowage/cuda-driver";
import type { Prepared, Refusal } from "../contender.js";
import type { Output } from "./output.js";

/**
 * Prepares a contender that writes the output that `open` allocates. Where either throws a DriverError or a
 * DeviceError, as for want of memory, the output is given back, and the message becomes a refusal. Other errors are
 * thrown.
 */
export function withOutput(open: () => Output, make: (output: Output) => Prepared): Prepared | Refusal {
  let output: Output | undefined;
  try {
    output = open();
    return make(output);
  } catch (error) {
    output?.[Symbol.dispose]();
    if (error instanceof DriverError || error instanceof DeviceError) return { reason: error.message };
    throw error;
  }
}
