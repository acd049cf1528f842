import { conditions, packMove, predictBy, unpackMove, type Profile } from "@stowage/backend-api";
import { X64_COSTS } from "@stowage/backend-x64";
import { canonicalise, lower, type Layout } from "@stowage/ir";
import type { MergedRecordings, TypeUse } from "./merge-recordings.js";
import { nativeNs, type PackDirection } from "./native-model.js";
import type { Traffic } from "./recording.js";

/** What a type's messages cost all ranks together, in nanoseconds. */
export interface Expense {
  readonly use: TypeUse;
  /** The canonical layout of the datatype. */
  readonly layout: Layout;
  /** How many messages were sent and received. */
  readonly messages: number;
  /** Packed bytes of those messages. */
  readonly bytes: number;
  /** How many of these bytes went through our code. */
  readonly ourBytes: number;
  /** Nanoseconds in packing and unpacking, as recorded; 0 where it could not be told. */
  readonly packNs: number;
  /** Nanoseconds in the calls of MPI that sent and received them, as recorded. */
  readonly callNs: number;
  /** Nanoseconds of packing and unpacking all by the MPI: as recorded of those that it packed, else predicted. */
  readonly nativeNs: number;
  /** Whether `nativeNs` was recorded in both directions, not predicted. */
  readonly isNativeMeasured: boolean;
  /** Nanoseconds of packing and unpacking all by our code, as predicted. */
  readonly oursNs: number;
}

/** What the datatypes of recordings cost, those on which the MPI's packing takes most time first. */
export const expensesOf = ({ types, mpi }: MergedRecordings, profile: Profile): readonly Expense[] =>
  types.map((use) => expenseOf(use, mpi, profile)).toSorted((a, b) => b.nativeNs - a.nativeNs);

function expenseOf(use: TypeUse, mpi: string, profile: Profile): Expense {
  const layout = canonicalise(lower(use.datatype));
  const directions = (["pack", "unpack"] as const).map((direction) =>
    costOf(layout, use[direction], direction, mpi, profile),
  );
  const sum = (of: (traffic: Traffic) => number): number => of(use.pack) + of(use.unpack);
  return {
    use,
    layout,
    messages: sum(({ messages }) => messages),
    bytes: sum(({ bytes }) => bytes),
    ourBytes: sum(({ ourBytes }) => ourBytes),
    packNs: sum(({ packNs }) => packNs),
    callNs: sum(({ callNs }) => callNs),
    nativeNs: directions.reduce((total, direction) => total + direction.nativeNs, 0),
    isNativeMeasured: directions.every(({ isMeasured }) => isMeasured),
    oursNs: directions.reduce((total, direction) => total + direction.oursNs, 0),
  };
}

/** By the mean message: one of so many elements. */
function costOf(layout: Layout, traffic: Traffic, direction: PackDirection, mpi: string, profile: Profile) {
  const { messages, ourMessages, bytes, packNs, ourPackNs } = traffic;
  if (messages === 0 || layout.sizeBytes === 0) return { nativeNs: 0, oursNs: 0, isMeasured: true };
  const count = Math.max(1, Math.round(bytes / messages / layout.sizeBytes));
  const move = direction === "pack" ? packMove(layout) : unpackMove(layout);
  const oursNs = messages * predictBy(X64_COSTS, [move], conditions({ count }), profile).runNs;
  const natives = messages - ourMessages;
  const isMeasured = natives > 0 && packNs > ourPackNs;
  const each = isMeasured ? (packNs - ourPackNs) / natives : nativeNs(layout, count, direction, mpi);
  return { nativeNs: messages * each, oursNs, isMeasured };
}
