import { PEERS_GPU } from "@stowage/bench";
import type { ApplicationOptions } from "../applications/bench-application.js";
import type { ContendOptions } from "../contend/contend.js";
import { readOptions, type TypedOptions } from "./options.js";
import { subjectsOf } from "./subjects.js";

/** `stowage bench`. */
export async function bench(types: readonly string[], typed: TypedOptions): Promise<void> {
  if (typed.list === true) return (await import("../workload-list.js")).printWorkloads(typed.json === true);
  if (typed.contend !== undefined) return contention({ ...typed, contend: typed.contend });
  if (typed.application !== undefined) return application({ ...typed, application: typed.application });
  const options = readOptions(typed);
  if (options.calls === true) return (await import("./calls.js")).benchTheCalls(options);
  const subjects = subjectsOf(types, options.device === undefined ? "ddtbench" : PEERS_GPU.group);
  if (options.device !== undefined) return (await import("./device.js")).benchWithDevice(subjects, options);
  if (options.pingpong === true)
    return (await import("../pingpong/bench-ping-pong.js")).benchPingPong(subjects, options);
  if (options.peers === true || options.commits === true)
    return (await import("./peers.js")).benchWithPeers(subjects, options);
  return (await import("./host.js")).benchOnHost(subjects, options);
}

/** What takes part is the experiment's own: the papers' vector and orders. */
async function contention(options: ContendOptions): Promise<void> {
  return (await import("../contend/contend.js")).benchContention(options);
}

async function application(options: ApplicationOptions): Promise<void> {
  (await import("../applications/bench-application.js")).benchApplication(options);
}
