import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import type { ProfiledMachine } from "@stowage/backend-api";

/** Those that decide which code is written, and how. */
const FEATURES = ["sse4_2", "avx2", "bmi2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_vbmi2", "neon"];

/**
 * What a profile says of the machine of this process: the processor's model, its vector instructions and the number of
 * its cores. `gpu` has what only who opened the driver can tell; default: no GPU.
 */
export function thisMachine(
  gpu: Pick<ProfiledMachine, "gpu" | "driver"> = { gpu: null, driver: null },
): ProfiledMachine {
  const processors = cpus();
  const flags = processorFlags();
  return {
    cpu: processors[0]?.model.trim() ?? "unknown",
    features: FEATURES.filter((feature) => flags.has(feature)),
    cores: Math.max(1, processors.length),
    ...gpu,
  };
}

function processorFlags(): ReadonlySet<string> {
  try {
    const text = readFileSync("/proc/cpuinfo", "utf8");
    const begin = text.indexOf("\nflags");
    return new Set(text.slice(begin, text.indexOf("\n", begin + 1)).split(/\s+/));
  } catch {
    return new Set();
  }
}

/**
 * What of a profile is of another machine or version than this one: one short sentence a difference, none where it
 * fits. A machine whose GPU is null (it was not looked for) differs in none.
 */
export function staleness(
  profile: { readonly machine: ProfiledMachine; readonly models: number },
  machine: ProfiledMachine,
  modelsVersion: number,
): readonly string[] {
  const { cpu, features, cores, gpu, driver } = profile.machine;
  const differences = [
    cpu === machine.cpu ? undefined : `the processor is ${machine.cpu}, it was ${cpu}`,
    features.join() === machine.features.join() ? undefined : "the processor's vector instructions are others",
    cores === machine.cores ? undefined : `${machine.cores} cores, it had ${cores}`,
    machine.gpu === null || machine.gpu === gpu ? undefined : `the GPU is ${machine.gpu}, it was ${gpu ?? "none"}`,
    machine.driver === null || machine.driver === driver
      ? undefined
      : `the driver is ${machine.driver}, it was ${driver ?? "none"}`,
    profile.models === modelsVersion ? undefined : `cost models ${modelsVersion}, it has figures of ${profile.models}`,
  ];
  return differences.filter((difference) => difference !== undefined);
}
