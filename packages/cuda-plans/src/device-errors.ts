import { DeviceError } from "@stowage/backend-api";
import { DriverError } from "@stowage/cuda-driver";

/** Runs something that asks the driver; its errors become DeviceErrors, with the driver's own as their cause. */
export function withDeviceErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    throw asDeviceError(cause);
  }
}

/** Makes a DeviceError of a DriverError that was caught, where a function to call would be an allocation. */
export function asDeviceError(cause: unknown): unknown {
  return cause instanceof DriverError ? new DeviceError(cause.message, { cause }) : cause;
}
