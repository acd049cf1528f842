import { DeviceError } from "@stowage/backend-api";
import { DriverError } from "@stowage/cuda-driver";

/** Runs work of the driver; what it throws comes as the DeviceError that callers of a backend know. */
export function onDevice<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DriverError) throw new DeviceError(error.message, { cause: error });
    throw error;
  }
}
