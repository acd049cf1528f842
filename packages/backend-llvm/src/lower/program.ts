import {
  conditions as makeConditions,
  directionOf,
  packMove,
  scatteredLayout,
  type Conditions,
  type Move,
} from "@stowage/backend-api";
import { denseLayout, layoutAlignment, stream, type Layout, type Stream } from "@stowage/ir";
import { processorOf, type Target } from "../target.js";
import type { FunctionWriter, Value } from "./function-writer.js";
import { BYTES, writeLaunch } from "./launch.js";
import { LayoutWriter } from "./layout-writer.js";
import { ModuleWriter } from "./module-writer.js";
import type { Spot } from "./node-writer.js";

/** A line: no access states more. */
const MOST_ALIGNMENT = 64;

/** Bytes of the packed stream that a copy keeps on the stack at once: with both sides' lines they stay in L1d. */
const BUFFER_BYTES = 8192;

/** The functions of some moves; equal moves share theirs. */
export const entryNames = (moves: readonly Move[]): readonly string[] =>
  moves.map(
    (move) => `move${moves.findIndex(({ source, target }) => source === move.source && target === move.target)}`,
  );

/**
 * The module of some moves in LLVM's text. Each move is a function of the artifact's own signature (source, target,
 * count, first, length); beside them are a function that copies bytes, and one that calls records of moves.
 */
export function moduleText(moves: readonly Move[], conditions: Conditions, target: Target): string {
  const module = new ModuleWriter(processorOf(target));
  writeLaunch(module);
  writeMove(module, ONE_BYTE, makeConditions(), BYTES);
  const names = entryNames(moves);
  moves.forEach((move, i) => {
    if (names.indexOf(names[i] as string) === i) writeMove(module, move, conditions, names[i] as string);
  });
  return module.text();
}

const ONE_BYTE = packMove(denseLayout(1));
const SIGNATURE = "(ptr noalias %source, ptr noalias %target, i64 %count, i64 %first, i64 %length)";

function writeMove(module: ModuleWriter, move: Move, conditions: Conditions, name: string): void {
  const direction = directionOf(move);
  if (direction === "copy") return writeCopy(module, move, name);
  const { sourceAlignment, targetAlignment } = conditions;
  const writer = new LayoutWriter(module, {
    direction: direction === "pack" ? "pack" : "unpack",
    alignment: alignmentOf(move, sourceAlignment, targetAlignment),
  });
  module.define(`define void @${name}${SIGNATURE}`, (f) => emitRange(f, writer, scatteredLayout(move)));
}

const alignmentOf = (move: Move, ...promised: number[]): number =>
  Math.min(layoutAlignment(scatteredLayout(move), MOST_ALIGNMENT), ...promised);

/** Elements side by side that continue each other's stream are one longer stream. */
function elementsOf({ root, extentBytes }: Layout): { readonly elements: Stream; readonly perElement: number } {
  if (root.kind === "stream" && extentBytes === root.count * root.strideBytes) {
    return { elements: stream(1, root.strideBytes, root.child), perElement: root.count };
  }
  return { elements: stream(1, extentBytes, root), perElement: 1 };
}

function emitRange(f: FunctionWriter, writer: LayoutWriter, layout: Layout): void {
  if (layout.sizeBytes === 0) return f.do("ret void");
  f.returnWhen(f.compare("eq", "%length", 0));
  const [scattered, packed] = writer.facts.direction === "pack" ? ["%source", "%target"] : ["%target", "%source"];
  const spot: Spot = { scattered: f.at(scattered, layout.startBytes), packed };
  const end = f.add("%first", "%length");
  if (layout.root.kind === "dense" && layout.extentBytes === layout.sizeBytes) {
    writer.clip(f, layout.root, spot, "%first", end);
    return f.do("ret void");
  }
  const { elements, perElement } = elementsOf(layout);
  const isWhole = f.compare("eq", "%length", f.multiply("%count", layout.sizeBytes));
  f.returnWhen(isWhole, () => writer.children(f, elements, spot, 0, f.multiply("%count", perElement)));
  writer.clip(f, elements, spot, "%first", end);
  f.do("ret void");
}

/** Layout to layout by way of a buffer on the stack: packed a piece at a time, and unpacked. */
function writeCopy(module: ModuleWriter, { source, target }: Move, name: string): void {
  for (const [direction, layout] of [["pack", source] as const, ["unpack", target] as const]) {
    const writer = new LayoutWriter(module, { direction, alignment: 1 });
    module.define(`define internal void @${name}${direction}${SIGNATURE}`, (f) => emitRange(f, writer, layout));
  }
  module.define(`define void @${name}${SIGNATURE}`, (f) => {
    const buffer = f.value(`alloca [${BUFFER_BYTES} x i8], align 64`);
    const end = f.add("%first", "%length");
    const piece = (at: Value, length: Value): void => {
      const origin = f.at(buffer, f.subtract(0, at));
      const range = `i64 %count, i64 ${at}, i64 ${length}`;
      f.do(`call void @${name}pack(ptr %source, ptr ${origin}, ${range})`);
      f.do(`call void @${name}unpack(ptr ${origin}, ptr %target, ${range})`);
    };
    const rest = f.loop("%first", end, BUFFER_BYTES, (at) => piece(at, BUFFER_BYTES));
    piece(rest, f.subtract(end, rest));
    f.do("ret void");
  });
}
