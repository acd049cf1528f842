import { findProfile, type FoundProfile } from "@stowage/selector";
import type { MpiFamily } from "../build/mpi-identity.js";
import { deviceRules, type DeviceRule } from "./device-rules.js";
import { DeviceTimes } from "./device-times.js";

/** From which on messages of one host go from GPU memory to GPU memory: c/gpu/route-table.c. */
const IPC_BYTES = 1024;

/** The backend whose figures a profile has where it knows of a GPU. */
const GPU = "cuda-generic";

/**
 * The rules of a table by the profile that is asked for, or this machine's; undefined where that knows no GPU. Throws
 * what findProfile does.
 */
export function foundRoutes(asked: string | undefined, mpi: MpiFamily): string | undefined {
  const found = findProfile(asked);
  return found.document?.figures[GPU] === undefined ? undefined : routeText(found, mpi);
}

/** The rules for the GPU and the MPI that a profile knows. */
function routeText({ profile }: FoundProfile, mpi: MpiFamily): string {
  const times = new DeviceTimes(profile, mpi);
  const rules = deviceRules((route, bytes, blockBytes) => times.ofMessage(route, bytes, blockBytes));
  return [`ipc ${IPC_BYTES}`, `launch ${times.launchBytes}`, ...rules.map(ruleText), ""].join("\n");
}

const ruleText = ({ bytes, blockBytes, route }: DeviceRule): string => `route ${bytes} ${blockBytes} ${route}`;
