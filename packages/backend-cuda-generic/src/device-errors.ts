import { DeviceError } from "@stowage/backend-api";
import { DriverError } from "@stowage/cuda-driver";

/** Runs something that asks the driver; its errors become DeviceErrors, with the driver's own as their cause. */
export function withDeviceErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof DriverError) throw new DeviceError(cause.message, { cause });
    throw cause;
  }
}
