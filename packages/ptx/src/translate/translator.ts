import type { AccessBits, DataSpace, Kernel, Register } from "../ir/index.js";
import { isWide, type Operand } from "../ir/register.js";
import type { TranslateOptions } from "../simulate/launch.js";
import type { FunctionCode } from "../wasm/function-code.js";
import type { ValueType } from "../wasm/opcodes.js";
import type { Workspace } from "./workspace.js";

/** Functions that every module holds; imports come first. */
export const FUNCTION = {
  resolve: 0,
  fault: 1,
  race: 2,
  timer: 3,
  access: 4,
  mulHighU64: 5,
  permute: 6,
  distinct: 7,
} as const;
export const FIRST_CHUNK = 8;

/** Mutable globals, in order; all are exported. */
export const GLOBALS = [
  { name: "ctaid.x", type: "i32" },
  { name: "ctaid.y", type: "i32" },
  { name: "ctaid.z", type: "i32" },
  { name: "ntid.x", type: "i32" },
  { name: "ntid.y", type: "i32" },
  { name: "ntid.z", type: "i32" },
  { name: "nctaid.x", type: "i32" },
  { name: "nctaid.y", type: "i32" },
  { name: "nctaid.z", type: "i32" },
  { name: "epoch", type: "i32" },
  { name: "threadInstructions", type: "i64" },
  { name: "warpInstructions", type: "i64" },
  { name: "loadRequests", type: "i64" },
  { name: "loadBytes", type: "i64" },
  { name: "loadSectors", type: "i64" },
  { name: "loadLines", type: "i64" },
  { name: "storeRequests", type: "i64" },
  { name: "storeBytes", type: "i64" },
  { name: "storeSectors", type: "i64" },
  { name: "storeLines", type: "i64" },
] as const;
export type GlobalName = (typeof GLOBALS)[number]["name"];
export const globalIndex = (name: GlobalName): number => GLOBALS.findIndex((item) => item.name === name);

/** What a fault was; the number crosses from WebAssembly. */
export const FAULT = { divergentBarrier: 0, sharedAddress: 1, parameterIndex: 2 } as const;

/** One load or store of the kernel, for counters and messages. */
export interface Site {
  readonly space: DataSpace;
  readonly writes: boolean;
  readonly bits: AccessBits;
  readonly lanes: number;
}

/** What translating one kernel shares. */
export interface Translator {
  readonly kernel: Kernel;
  readonly options: TranslateOptions;
  readonly workspace: Workspace;
  /** Slot in the frame, by register id. */
  readonly kept: ReadonlyMap<number, number>;
  readonly sites: Site[];
}

/** Locals of a chunk: one function that a warp runs from barrier to barrier. Parameters are base and warp. */
export interface Lane {
  readonly translator: Translator;
  readonly code: FunctionCode;
  readonly base: number;
  readonly warp: number;
  readonly lane: number;
  /** Where the lane's kept registers start. */
  readonly slots: number;
  /** 8 × lanes that have run in this segment so far. */
  readonly ordinal: number;
  readonly address: number;
  readonly place: number;
  local(register: Register): number;
}

export const valueType = (register: { readonly type: Register["type"] }): ValueType =>
  isWide(register.type) ? "i64" : "i32";

/** Leaves the operand's value. */
export function push(lane: Lane, operand: Operand): void {
  if (operand.kind === "register") lane.code.get(lane.local(operand));
  else if (isWide(operand.type)) lane.code.i64(BigInt(operand.literal));
  else lane.code.i32(Number(BigInt.asIntN(32, BigInt(operand.literal))));
}
