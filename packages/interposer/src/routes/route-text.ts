import type { FoundProfile } from "@stowage/selector";
import type { MpiFamily } from "../build/mpi-identity.js";
import { routeRules, type RouteRule } from "./route-rules.js";
import { RouteTimes } from "./route-times.js";

/** From which on messages of one host go from GPU memory to GPU memory: c/gpu/route-table.c. */
const IPC_BYTES = 1024;

/** The rules of a table, for the GPU and the MPI that a profile knows. */
export function routeText({ profile }: FoundProfile, mpi: MpiFamily): string {
  const times = new RouteTimes(profile, mpi);
  const rules = routeRules((route, bytes, blockBytes) => times.ofMessage(route, bytes, blockBytes));
  return [`ipc ${IPC_BYTES}`, `launch ${times.launchBytes}`, ...rules.map(ruleText), ""].join("\n");
}

const ruleText = ({ bytes, blockBytes, route }: RouteRule): string => `route ${bytes} ${blockBytes} ${route}`;
