import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { openMpi, type Communicator, type World } from "@stowage/mpi-bridge";
import type { Cell, Experiment, Lab } from "../experiment.js";
import type { Given, OptionTable } from "../options.js";
import { platformOf, type Platform } from "./platform.js";
import { rowsOfWays, type ApplicationRow } from "./row.js";

/** The ranks of an application, where its data lie, and its communicators. */
export interface Ranks extends Disposable {
  readonly mpi: World;
  readonly platform: Platform;
  readonly comm: Communicator;
  /** Whose messages may go from GPU to GPU. */
  readonly direct: Communicator;
}

export const APPLICATION_OPTIONS: OptionTable = {
  device: { kind: "text", of: ["cuda"], says: "data in the memory of GPUs, which the ranks of a host take in turns" },
  simulated: { kind: "flag", says: "on simulated ones: right, and no measure of time" },
  iterations: { kind: "number", says: "what medians are of" },
};

function openRanks({ device, simulated }: Given, lab: Lab): Ranks {
  if (simulated === true && device === undefined) throw new Error("--simulated: expected --device beside it, got none");
  const driver = device === undefined ? undefined : simulated === true ? openSimulatedCuda() : openCuda();
  const mpi = openMpi(driver === undefined ? {} : { cuda: () => driver });
  const comm = mpi.world.dup();
  const platform = platformOf(mpi, driver);
  // Simulated devices of two processes have no memory in common.
  const direct = mpi.world.dup(platform.kind === "device" ? { devices: "ipc" } : {});
  if (platform.gpu !== undefined) lab.note({ machine: platform.gpu.machine });
  const dispose = (): void => [direct, platform, comm].forEach((held) => held[Symbol.dispose]());
  return { mpi, comm, direct, platform, [Symbol.dispose]: dispose };
}

/** One row of an application: its ways are timed in turns inside of it, phase by phase. */
export interface ApplicationCell extends Cell {
  measure(): ApplicationRow;
}

/** What experiments on applications have in common. */
export const application = (
  own: Pick<Experiment, "name" | "question" | "kind" | "trial"> & { readonly options: OptionTable },
  cellsOf: (ranks: Ranks, given: Given, lab: Lab) => Iterable<ApplicationCell>,
  shown: Pick<Experiment, "text" | "plot">,
): Experiment<ApplicationCell> => ({
  ...own,
  ...shown,
  ranks: 2,
  options: { ...APPLICATION_OPTIONS, ...own.options },
  *cells(given, lab) {
    using ranks = openRanks(given, lab);
    yield* cellsOf(ranks, given, lab);
  },
  contenders: () => ({}),
  run: (_, cell) => ({ row: { ...cell.measure() } }),
  rows: (_, { row }) => rowsOfWays(row as unknown as ApplicationRow),
});

/** Throws where there are not as many ranks as it takes. */
export function requireTwo(name: string, { size }: Communicator): void {
  if (size !== 2) throw new Error(`${name}: expected 2 ranks (mpirun -n 2 npx lab run ${name}), got ${size}`);
}
