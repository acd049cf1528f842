import type { Kernel } from "../ir/index.js";
import { moduleBytes } from "../wasm/module-bytes.js";
import { BlockCode } from "./block.js";
import { gridCode } from "./grid.js";
import { distinct, mulHighU64, permute } from "./helper-functions.js";
import { eachSegment, keptRegisters } from "./kept-registers.js";
import { partsOf, type Part } from "./parts.js";
import type { TranslateOptions } from "../simulate/launch.js";
import { GLOBALS, type Site, type Translator } from "./translator.js";
import { layWorkspace, type Workspace } from "./workspace.js";

/** A kernel as a WebAssembly module, and what running it takes. */
export interface TranslatedModule {
  readonly bytes: Uint8Array;
  readonly workspace: Workspace;
  readonly sites: readonly Site[];
}

/** The imports, in the order of FUNCTION. */
const IMPORTS = [
  { name: "resolve", type: { parameters: ["i32", "i64"], results: [] } },
  { name: "fault", type: { parameters: ["i32", "i32"], results: [] } },
  { name: "race", type: { parameters: ["i32", "i32", "i32", "i32"], results: [] } },
  { name: "timer", type: { parameters: [], results: ["i32"] } },
  { name: "access", type: { parameters: ["i32", "i32"], results: [] } },
] as const;

/** Translates a kernel once; every launch runs the same module. */
export function translateToWasm(kernel: Kernel, options: TranslateOptions): TranslatedModule {
  const parts = partsOf(kernel.body);
  const kept = keptRegisters(parts);
  const workspace = layWorkspace(kernel, countSites(parts), kept.size);
  const sites: Site[] = [];
  const translator: Translator = { kernel, options, workspace, kept, sites };
  const block = new BlockCode(translator, parts);
  const chunks = block.chunks.map((chunk) => chunk.code);
  const before = [mulHighU64(), permute(), distinct(), ...chunks];
  const blockIndex = IMPORTS.length + before.length;
  const functions = [...before, block.code, gridCode(blockIndex)];
  const entry = { name: "run", place: functions.length - 1 };
  return { bytes: moduleBytes({ imports: IMPORTS, functions, globals: GLOBALS, entry }), workspace, sites };
}

function countSites(parts: readonly Part[]): number {
  let sites = 0;
  eachSegment(parts, ({ instructions }) => {
    sites += instructions.filter(({ kind }) => kind === "load" || kind === "store").length;
  });
  return sites;
}
