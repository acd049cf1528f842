import type { PredictedTime } from "../gpu/predicted-times.js";
import type { ProfileFile } from "../gpu/profile-in-use.js";
import type { KernelAccesses } from "../gpu/warp-accesses.js";
import type { Dialect } from "../link/state.js";
import type { DameStep } from "../steps/dame-stepper.js";
import type { MachineText } from "../steps/machine-text.js";
import type { PassStep } from "../steps/pass-steps.js";
import type { Cells } from "../picture/cells.js";
import type { Room, Shown, View } from "../picture/view.js";
import type { PathStep } from "../tree/path-at.js";
import type { TreeRow } from "../tree/tree-rows.js";

/** What is wrong with a text, and which of its characters. */
export interface Fault {
  readonly message: string;
  readonly from: number;
  readonly to: number;
}

export interface Facts {
  readonly sizeBytes: number;
  readonly extentBytes: number;
  readonly lowerBoundBytes: number;
  readonly trueExtentBytes: number;
  readonly blockCount: number;
  /** The strides of the one strided object that it is; absent where it is none. */
  readonly strided?: string;
  /** The sequence of its basic elements. */
  readonly signature: string;
}

export interface Opened {
  readonly ok: true;
  readonly facts: Facts;
  readonly tree: readonly TreeRow[];
  readonly shown: Shown;
  readonly pitches: readonly number[];
  readonly fit: View;
  readonly picture: Picture;
}

export interface Refused {
  readonly ok: false;
  readonly fault: Fault;
}

export interface Picture {
  readonly view: View;
  readonly cells: Cells;
  /** Whether every cell's bytes were counted; else where hundreds of blocks overlap they are estimates. */
  readonly exact: boolean;
}

/** A byte of memory, its place in the packed stream, and the nodes that it is in. */
export interface Link {
  readonly addressBytes: number;
  readonly packedByte: number;
  readonly element: number;
  readonly path: readonly PathStep[];
}

export interface Predicted {
  /** Whose figures these are. */
  readonly about: string;
  readonly times: readonly PredictedTime[];
}

/** Every question to the worker, and its answer. */
export interface Questions {
  readonly open: (
    text: string,
    dialect: Dialect,
    count: number,
    room: Room,
    view: View | undefined,
  ) => Opened | Refused;
  readonly draw: (view: View, room: Room) => Picture;
  /** The lowest byte that moves in [from, end); undefined where none does. */
  readonly linkOfBytes: (from: number, end: number) => Link | undefined;
  readonly linkOfPacked: (packedByte: number) => Link;
  /** Whether the byte of each cell of a view belongs to a node. */
  readonly cellsOfNode: (path: string, packed: Float64Array) => Uint8Array;
  /** The datatype in another dialect. */
  readonly textIn: (dialect: Dialect) => string;
  readonly passes: () => readonly PassStep[];
  /** The DAME program, one primitive a line. */
  readonly dameText: () => string;
  readonly dameStep: (packedByte: number) => DameStep | undefined;
  readonly dameStepBefore: (packedByte: number) => DameStep | undefined;
  readonly warpAccesses: () => readonly KernelAccesses[];
  /** By the profile in a file, or the figures that come with the backends; or in one line why it is no profile. */
  readonly predicted: (file: ProfileFile | undefined) => Predicted | string;
  readonly machineTexts: () => readonly MachineText[];
  readonly example: (name: string) => { readonly text: string; readonly count: number };
}

export type QuestionName = keyof Questions;

export interface Ask {
  readonly id: number;
  readonly name: QuestionName;
  readonly args: readonly unknown[];
}

export type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };
