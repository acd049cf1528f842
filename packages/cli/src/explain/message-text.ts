import { cellsOf, formatBytes, formatNs } from "@stowage/bench";
import { hostMemory } from "@stowage/backend-api";
import { openMpi, type MeasuredCost } from "@stowage/mpi-bridge";
import { findProfile, messageNs } from "@stowage/selector";
import { align } from "../tables/align.js";
import type { NamedType } from "../type-argument.js";

/** A message of so many elements by either carrier. */
export interface MessageExplanation {
  readonly mpi: string;
  readonly bytes: number;
  /** Absent where elements lie side by side: they go as they are. */
  readonly cost?: MeasuredCost;
  /** One way of as many contiguous bytes, by the profile; absent where it has no terms of this MPI. */
  readonly transferNs?: number;
}

/** Measures packing by this machine's MPI and by ours, in a world of one. Throws one line where there is no MPI. */
export function explainMessage({ name, datatype }: NamedType, count: number): MessageExplanation {
  const mpi = openMpi();
  const [cell] = cellsOf(name, datatype, count) as readonly [ReturnType<typeof cellsOf>[number]];
  const type = mpi.commit(datatype);
  try {
    const buffer = { memory: hostMemory(cell.scattered), originBytes: cell.originBytes };
    const bytes = cell.packedBytes;
    const transferNs = messageNs(findProfile().document?.figures[mpi.mpi.name], bytes);
    const cost = type.dense === undefined && bytes > 0 ? mpi.packsOf({ buffer, datatype: type, count }) : undefined;
    return {
      mpi: mpi.mpi.name,
      bytes,
      ...(cost === undefined ? {} : { cost }),
      ...(transferNs === undefined ? {} : { transferNs }),
    };
  } finally {
    type[Symbol.dispose]();
  }
}

export function messageText({ mpi, bytes, cost, transferNs }: MessageExplanation): string {
  const transfer =
    transferNs === undefined
      ? `the profile has no terms of ${mpi}: mpirun -n 2 npx stowage calibrate adds them`
      : `${formatBytes(bytes)} of contiguous bytes take ${formatNs(transferNs)} from one rank to another`;
  if (cost === undefined)
    return `a message of ${formatBytes(bytes)} over ${mpi} goes as it lies: nothing is packed\n${transfer}`;
  const lines = [
    [`message of ${formatBytes(bytes)} over ${mpi}`, "packs in", ""],
    [`${cost.carrier === "native" ? "*" : " "} native, by its own datatype`, formatNs(cost.nativeNs), ""],
    [`${cost.carrier === "packed" ? "*" : " "} packed, by ours, and copied once`, formatNs(cost.packedNs), ""],
  ];
  return `${align(lines)}\n${transfer}\nmessages that repeat are tried by their own times: the medians of the first dozens decide`;
}
