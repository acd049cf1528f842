import { driverText } from "@stowage/bench/device";
import { openCuda, tryOpen, type Driver } from "@stowage/cuda-driver";
import { findProfile, MODELS_VERSION, staleness, thisMachine } from "@stowage/selector";
import type { Fact } from "./machine-facts.js";

/** By which figures backends are chosen here, and whether they are of this machine, its GPU and its driver. */
export function profileFacts(open: () => Driver = openCuda): readonly Fact[] {
  const { path, document, remarks } = findProfile();
  const stale = document === undefined ? [] : staleness(document, thisMachine(gpuOf(open)), MODELS_VERSION);
  const ofGpu = stale.filter((text) => remarks.every((remark) => !remark.includes(text)));
  const findings = [...remarks, ...ofGpu.map((text) => `stale: ${text}`)];
  return [{ name: "profile", finding: findings.length > 0 ? findings.join("; ") : (path ?? "shipped figures") }];
}

function gpuOf(open: () => Driver): { readonly gpu: string | null; readonly driver: string | null } {
  const found = tryOpen(open);
  const device = found.ok ? found.driver.devices[0] : undefined;
  if (!found.ok || device === undefined) return { gpu: null, driver: null };
  const { driver } = found;
  return { gpu: driver.simulated ? "simulated" : device.name, driver: driverText(driver) };
}
