import type { Driver } from "@stowage/cuda-driver";
import { readFileSync } from "node:fs";

/** The versions of a driver as text: CUDA's, and the kernel module's where it can be read. "580.95.05 (CUDA 13.0)". */
export function driverText(driver: Driver): string {
  if (driver.simulated) return `simulated, as of ${cudaVersion(driver)}`;
  const kernelModule = kernelModuleVersion();
  return kernelModule === undefined ? cudaVersion(driver) : `${kernelModule} (${cudaVersion(driver)})`;
}

/** 12080 is CUDA 12.8. */
const cudaVersion = ({ version }: Driver): string => `CUDA ${Math.floor(version / 1000)}.${(version % 1000) / 10}`;

/** As the NVIDIA kernel module tells it: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  ...". */
function kernelModuleVersion(): string | undefined {
  try {
    return /Kernel Module.*?\s(\d+\.\d+(?:\.\d+)?)\s/.exec(readFileSync("/proc/driver/nvidia/version", "utf8"))?.[1];
  } catch {
    return undefined; // no such file in a container that hides it
  }
}
