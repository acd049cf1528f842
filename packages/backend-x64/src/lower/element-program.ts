import { general, type Fragment } from "@stowage/asm-x64";
import { scatteredLayout, type Move } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import type { FeatureLevel } from "../feature-level.js";
import { withEvenBlocks } from "../loops/even-blocks.js";
import { ModePlan } from "../loops/loop-plan.js";
import type { Tuning } from "../options.js";
import { AssemblerSession } from "./assembler-session.js";
import { Assembly } from "./assembly.js";
import { at, Emitter } from "./emitter.js";
import { isaOf } from "./isa.js";
import { emitNode } from "./nodes.js";
import { contextOf, emitAfterConstants, emitRest, type ProgramOptions } from "./program.js";

/**
 * Machine code for one whole element of a pack or unpack: entered with (source, target) alone, it asks for no count and
 * no range, which is a third of what a call of 256 bytes costs.
 */
export function elementProgram(
  move: Move,
  level: FeatureLevel,
  tuning: Tuning,
  { session = new AssemblerSession(), listing = false }: Pick<ProgramOptions, "session" | "listing"> = {},
): Fragment {
  const layout = withEvenBlocks(scatteredLayout(move), tuning);
  const emitter = (): Emitter => {
    const assembly = new Assembly(session, isaOf(level), listing);
    assembly.emitEntry();
    return new Emitter(assembly, new ModePlan(contextOf(move, assembly, tuning)));
  };
  const first = emitter();
  const code = first.parts.hasMasks ? withConstants(first, layout) : withoutConstants(first, layout);
  if (!first.context.constants.isEmpty || !first.parts.hasMasks) return { code, assembler: first.asm };
  const second = emitter();
  return { code: withoutConstants(second, layout), assembler: second.asm };
}

function withConstants(e: Emitter, layout: Layout): Uint8Array {
  const constants = emitAfterConstants(e);
  emitElement(e, layout);
  return emitRest(e, constants);
}

/** Where no constant is used, no jump leads to where they are loaded. */
function withoutConstants(e: Emitter, layout: Layout): Uint8Array {
  emitElement(e, layout);
  return emitRest(e, undefined);
}

function emitElement(e: Emitter, { root, sizeBytes, startBytes }: Layout): void {
  if (sizeBytes > 0) {
    e.addTo(e.scattered, startBytes);
    emitNode(e, root, at(0, 0), at(root.highBytes, root.sizeBytes));
    e.isa.leave(e.asm);
  }
  e.emit(general.ret);
}
