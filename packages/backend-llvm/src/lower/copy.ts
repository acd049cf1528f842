import type { FunctionWriter, Value } from "./function-writer.js";
import type { Processor } from "../target.js";

/** Runs up to here are written out; longer ones are loops. */
const MOST_WRITTEN_OUT_BYTES = 512;
/** Moves of one round of such a loop. */
const MOVES_A_ROUND = 4;

/** Both ends of a run. */
export interface Run {
  readonly from: string;
  readonly to: string;
}

/** The greatest power of two that divides an offset, `most` at most. */
export const alignmentAt = (bytes: number, most: number): number => {
  let alignment = most;
  while (bytes % alignment !== 0) alignment /= 2;
  return alignment;
};

/** A type of so many bytes, a power of two, that one register holds. */
export const typeOf = (bytes: number): string => (bytes <= 8 ? `i${8 * bytes}` : `<${bytes / 8} x i64>`);

export function move(f: FunctionWriter, bytes: number, { from, to }: Run, at: number, alignment: number): void {
  const type = typeOf(bytes);
  const align = `align ${alignmentAt(at, alignment)}`;
  const loaded = f.value(`load ${type}, ptr ${f.at(from, at)}, ${align}`);
  f.do(`store ${type} ${loaded}, ptr ${f.at(to, at)}, ${align}`);
}

/** Widths that move a run, the last of which may overlap the one before. */
export function movesOf(bytes: number, widest: number): readonly { readonly at: number; readonly width: number }[] {
  const moves = [];
  let at = 0;
  for (let width = widest; at < bytes;) {
    const left = bytes - at;
    if (width <= left) {
      moves.push({ at, width });
      at += width;
      continue;
    }
    const covering = 2 ** Math.ceil(Math.log2(left));
    if (covering < widest && covering <= bytes && covering !== left) {
      moves.push({ at: bytes - covering, width: covering });
      break;
    }
    width /= 2;
  }
  return moves;
}

export const moveCountOf = (bytes: number, widest: number): number =>
  bytes > MOST_WRITTEN_OUT_BYTES ? 2 * MOVES_A_ROUND : movesOf(bytes, widest).length;

/** A run of known length. */
export function copyRun(
  f: FunctionWriter,
  { vectorBytes }: Processor,
  bytes: number,
  run: Run,
  alignment: number,
): void {
  const round = MOVES_A_ROUND * vectorBytes;
  const looped = bytes > MOST_WRITTEN_OUT_BYTES ? bytes - (bytes % round) : 0;
  f.loop(0, looped, round, (i) => {
    const here = { from: f.at(run.from, i), to: f.at(run.to, i) };
    for (let at = 0; at < round; at += vectorBytes) move(f, vectorBytes, here, at, alignment);
  });
  // The last move may reach back over bytes that the loop has moved.
  const rest = { from: f.at(run.from, looped), to: f.at(run.to, looped) };
  const tail = bytes - looped;
  const covering = 2 ** Math.ceil(Math.log2(Math.max(1, tail)));
  if (looped > 0 && tail > 0 && tail < vectorBytes && covering !== tail)
    move(f, covering, run, bytes - covering, alignment);
  else for (const { at, width } of movesOf(tail, vectorBytes)) move(f, width, rest, at, alignment);
}

/** The body of the function that copies %n bytes from %from to %to. */
export function copyBytes(f: FunctionWriter, { vectorBytes }: Processor): void {
  for (let width = vectorBytes; width >= 1; width /= 2) {
    f.returnWhen(f.compare("sge", "%n", width), () => {
      if (width === vectorBytes) copyVectors(f, width);
      else move(f, width, { from: "%from", to: "%to" }, 0, 1);
      // Over bytes that are moved already, where the length is no multiple.
      const last = f.subtract("%n", width);
      move(f, width, { from: f.at("%from", last), to: f.at("%to", last) }, 0, 1);
    });
  }
  f.do("ret void");
}

/** All vectors that the length holds: several a round, then one. */
function copyVectors(f: FunctionWriter, width: number): void {
  let from: Value = 0;
  for (const step of [MOVES_A_ROUND * width, width]) {
    from = f.loop(from, "%n", step, (i) => {
      const here = { from: f.at("%from", i), to: f.at("%to", i) };
      for (let at = 0; at < step; at += width) move(f, width, here, at, 1);
    });
  }
}
