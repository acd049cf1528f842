import type { Asked, Subject } from "@stowage/bench";
import { benchPeers } from "@stowage/bench/peers";
import { createEngine } from "@stowage/selector";
import { hostBackends } from "../contenders/host-contenders.js";
import { field } from "../peers/peer-specs.js";
import { PEER_SCRIPT } from "../peers/script.js";
import { commitsText, peersText } from "../tables/peers-text.js";
import type { BenchOptions } from "./options.js";
import { runBench } from "./run.js";

/** `stowage bench --peers`, and `--commits`. */
export async function benchWithPeers(subjects: readonly Subject[], options: BenchOptions): Promise<void> {
  const { specs, remarks } = field(backendNames(options.backend ?? "auto"));
  const commits = options.commits === true;
  const measure = (asked: Asked) => {
    remarks.forEach((line) => asked.remark?.(line));
    const contenders = commits ? specs.filter(({ kind }) => kind === "engine" || kind === "mpi") : specs;
    return benchPeers({ ...asked, contenders, commits, child: { script: PEER_SCRIPT } });
  };
  await runBench(subjects, options, { gpu: null, driver: null }, measure, commits ? commitsText : peersText);
}

function backendNames(asked: string): readonly string[] {
  using engine = createEngine();
  if (asked === "all") return hostBackends(engine);
  const known = ["auto", ...engine.backends.map(({ name }) => name)];
  const names = asked.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new Error(`--backend: expected all or some of ${known.join(", ")}, got ${unknown}`);
}
