import { DeviceError } from "@stowage/backend-api";
import { DriverError } from "@stowage/cuda-driver";

/**
 * Runs something that calls the driver, and returns its result. A DriverError becomes a DeviceError with the driver's
 * own as its cause; other errors are thrown as they are.
 */
export function withDeviceErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw asDeviceError(cause);
  }
}

/**
 * The DeviceError of a DriverError that was caught, to be thrown; any other value as it is. For code where a function
 * to call would be an allocation.
 */
export function asDeviceError(cause: unknown): unknown {
  return cause instanceof DriverError ? new DeviceError(cause.message, { cause }) : cause;
}
