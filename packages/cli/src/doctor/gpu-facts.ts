import { DriverError, openCuda, selfCheck, tryOpen, type Device, type Driver } from "@stowage/cuda-driver";
import { driverText } from "@stowage/bench/device";
import { formatBytes } from "@stowage/bench";
import type { Fact } from "./machine-facts.js";

/** The driver, each device in one line, and whether they do what a driver must; without a driver, why there is none. */
export function gpuFacts(open: () => Driver = openCuda): readonly Fact[] {
  const found = tryOpen(open);
  if (!found.ok) return [{ name: "NVIDIA driver", finding: `none: ${found.reason}` }];
  const { driver } = found;
  return [
    { name: "NVIDIA driver", finding: driverText(driver) },
    ...driver.devices.flatMap((device) => [
      { name: `GPU ${device.ordinal}`, finding: deviceText(device) },
      { name: `GPU ${device.ordinal} self-check`, ...selfChecked(driver, device.ordinal) },
    ]),
  ];
}

function deviceText({ name, totalBytes, multiprocessors, architecture, copyEngines }: Device): string {
  const capability = `compute capability ${Math.floor(architecture / 10)}.${architecture % 10}`;
  return `${name}, ${formatBytes(totalBytes)}, ${multiprocessors} multiprocessors, ${copyEngines} copy engines, ${capability}`;
}

/** Kernels, copies, graphs and events, tried on a few KiB. */
function selfChecked(driver: Driver, ordinal: number): Omit<Fact, "name"> {
  try {
    using context = driver.context(ordinal);
    const checks = selfCheck(context);
    const failed = checks.filter(({ failure }) => failure !== undefined);
    if (failed.length === 0) return { finding: `${checks.length} of ${checks.length} pass` };
    return { finding: failed.map(({ name, failure }) => `${name}: ${failure}`).join("; "), isWrong: true };
  } catch (error) {
    if (error instanceof DriverError) return { finding: error.message, isWrong: true };
    throw error;
  }
}
