import { OwnOperations } from "./own-operations.js";
import { contiguous, predefined } from "@stowage/ir";
import { isOnHost, type Placed } from "../../message/place/placed.js";
import { Transfer } from "../../message/place/transfer.js";
import type { Prepared } from "../collectives/collective.js";
import { MOST_INT } from "../../message/datatype/large-datatype.js";
import { BridgeError } from "../../errors.js";
import type { CallName } from "../../native/prototypes.js";
import { intsOf } from "../../native/words.js";
import type { Context } from "../../message/context.js";
import type { ReductionCall, ReductionName } from "./reduction-call.js";

const CALLS: Readonly<Record<ReductionName, CallName>> = {
  reduce: "MPI_Reduce",
  allreduce: "MPI_Allreduce",
  reduce_scatter: "MPI_Reduce_scatter",
  reduce_scatter_block: "MPI_Reduce_scatter_block",
  scan: "MPI_Scan",
  exscan: "MPI_Exscan",
};

/**
 * A call of the MPI: on the elements where they lie side by side, else on packed ones; with its own operation, or with
 * one of ours.
 */
export function packedReduction(context: Context, call: ReductionCall, rank: number, isOurs: boolean): Prepared {
  const { native } = context;
  const { name, op, input, isInPlace, result, root } = call;
  const { handle, perElement } = input.type.reducible;
  const most = input.count * perElement;
  if (most > MOST_INT) throw new BridgeError(`count of ${name}`, `at most ${MOST_INT} basic elements`, String(most));
  const from = isInPlace ? undefined : sideOf(context, input);
  // In place the elements are read too, all of them.
  const into = result === undefined ? undefined : sideOf(context, isInPlace ? input : result);
  const writes = into !== undefined && !leavesResult(call, rank) ? into : undefined;
  const resultBytes = result?.sizeBytes ?? 0;
  const counts = countsOf(call, perElement);
  return {
    name: CALLS[name],
    args: [
      from?.address ?? native.constants.inPlace,
      into?.address ?? 0,
      typeof counts === "number" ? counts : counts.address,
      handle,
      isOurs ? context.only(OwnOperations).handleOf(op, input.type) : native.constants.reductions[op],
      ...(name === "reduce" ? [root] : []),
    ],
    sides: [
      { reads: from, transfer: from },
      {
        reads: isInPlace ? into : undefined,
        writes: writes && { unpack: () => writes.unpack(resultBytes) },
        transfer: into,
        tables: typeof counts === "number" ? [] : [counts],
      },
    ],
  };
}

/** MPI leaves rank 0's result of an exclusive scan as it is (MPI 4.1, section 6.11.2). */
const leavesResult = ({ name }: ReductionCall, rank: number): boolean => name === "exscan" && rank === 0;

function countsOf({ name, input, partsBytes = [] }: ReductionCall, perElement: number) {
  const basicBytes = input.type.sizeBytes / perElement;
  const counts = partsBytes.map((bytes) => (bytes === 0 ? 0 : bytes / basicBytes));
  if (name === "reduce_scatter") return intsOf(counts);
  return counts[0] ?? input.count * perElement;
}

interface PackedSide {
  readonly address: number;
  readonly isThere: boolean;
  pack(): void;
  unpack(bytes: number): void;
  release(): void;
}

/**
 * Elements that MPI computes with. Memory of a device is packed whatever it holds: a CUDA-aware MPI may not reduce
 * there.
 */
function sideOf(context: Context, given: Placed): PackedSide {
  const isPredefined = given.type.datatype.kind === "predefined";
  const placed = isPredefined && given.device !== undefined ? asRuns(context, given) : given;
  const isDense = placed.device === undefined && (isPredefined || placed.type.dense !== undefined);
  const dense = isOnHost(placed) && placed.buffer.canChangeSize ? "copied" : "native";
  const transfer = new Transfer(context, placed, isDense ? dense : "packed");
  const scale = given.type.sizeBytes === 0 ? 0 : placed.type.sizeBytes / given.type.sizeBytes;
  return {
    address: transfer.address,
    get isThere() {
      return transfer.isThere;
    },
    pack: () => void transfer.pack()?.wait(),
    unpack: (bytes) => void transfer.unpack(bytes * scale)?.wait(),
    release: () => transfer.release(),
  };
}

/** As the MPI sees them: a pair's padding too. */
function asRuns({ types }: Context, placed: Placed): Placed {
  const type = types.of(contiguous(placed.type.extentBytes, predefined("MPI_BYTE")));
  return { ...placed, type, sizeBytes: placed.count * type.sizeBytes };
}
