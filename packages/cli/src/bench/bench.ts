import { PEERS_GPU } from "@stowage/bench";
import { readOptions, type TypedOptions } from "./options.js";
import { subjectsOf } from "./subjects.js";

/** `stowage bench`. */
export async function bench(types: readonly string[], typed: TypedOptions): Promise<void> {
  if (typed.list === true) return (await import("../workload-list.js")).printWorkloads(typed.json === true);
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
