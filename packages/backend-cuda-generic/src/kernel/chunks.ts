import { divideByShortMagic, type Builder, type Value, type Variable } from "@stowage/ptx";
import { TRANSFER } from "./plan-block.js";
import { foldAddresses } from "./traversal.js";
import { CHUNK_BYTES } from "./variant.js";
import type { Walker, WalkContext } from "./walk.js";

/** 16 bytes in registers, the first one lowest. */
interface Pair {
  readonly low: Value;
  readonly high: Value;
}

/** A thread's chunk of 16 packed bytes, gathered from its runs and stored at once, or loaded and scattered to them. */
export function moveChunks(
  context: WalkContext,
  mode: "gather" | "scatter",
  transfer: Value,
  local: Value,
  walker: Walker,
): void {
  const { k, list, positionType } = context;
  const index = local.mulWide(k.special("ntid.x")).add(k.special("tid.x").to("u64"));
  k.if(index.lt(list.u64(transfer, TRANSFER.words)), () => {
    const position = index.shl(4).add(list.u64(transfer, TRANSFER.bodyFirst));
    const packed = list.u64(transfer, mode === "gather" ? TRANSFER.target : TRANSFER.source).add(position);
    const first = position.to(positionType);
    if (context.traverses)
      traverse(context, transfer, first, packed, walker, mode === "gather" ? TRANSFER.source : TRANSFER.target);
    else if (mode === "gather") gather(context, transfer, first, packed, walker);
    else scatter(context, transfer, first, packed, walker);
  });
}

/** Finds a chunk's runs, and leaves them as they are. */
function traverse(
  context: WalkContext,
  transfer: Value,
  first: Value,
  packed: Value,
  walker: Walker,
  side: number,
): void {
  const folded = context.k.variable("u64", packed);
  forEachRun(context, walker, context.list.u64(transfer, side), first, (address) => folded.set(folded.xor(address)));
  foldAddresses(context.k, [folded]);
}

/** Calls `move` for each run of a chunk: its address, its bytes, and how many bytes of the chunk came before. */
function forEachRun(
  context: WalkContext,
  walker: Walker,
  base: Value,
  first: Value,
  move: (address: Value, bytes: Value, done: Value) => void,
): void {
  const { k, positionType } = context;
  const done = k.variable("u32", 0);
  k.while(
    () => done.lt(CHUNK_BYTES),
    () => {
      const { offset, restBytes } = walker.run(first.add(done.to(positionType)));
      const bytes = restBytes.min(CHUNK_BYTES).to("u32").min(k.constant("u32", CHUNK_BYTES).sub(done));
      move(base.add(offset), bytes, done);
      done.set(done.add(bytes));
    },
  );
}

function gather(context: WalkContext, transfer: Value, first: Value, packed: Value, walker: Walker): void {
  const { k, list } = context;
  const [low, high] = [k.variable("u64", 0), k.variable("u64", 0)];
  forEachRun(context, walker, list.u64(transfer, TRANSFER.source), first, (address, bytes, done) => {
    const run = { low: k.variable("u64", 0), high: k.variable("u64", 0) };
    readRun(context, transfer, address, bytes, run);
    const placed = shiftLeft(k, masked(k, run, bytes), done.shl(3));
    low.set(low.or(placed.low));
    high.set(high.or(placed.high));
  });
  k.store("global", packed, [low, high], { bits: 64 });
}

interface PairVariable {
  readonly low: Variable;
  readonly high: Variable;
}

/** Up to 16 bytes from any address, into two words. */
function readRun({ k, list }: WalkContext, transfer: Value, address: Value, bytes: Value, run: PairVariable): void {
  const start = address.and(2n ** 64n - 8n);
  const inside = start
    .ge(list.u64(transfer, TRANSFER.readLow))
    .and(start.add(24).le(list.u64(transfer, TRANSFER.readHigh)));
  k.if(
    inside,
    () => readWords(k, address, bytes, run),
    () => readBytes(k, address, bytes, run),
  );
}

/** The up to three aligned words around a run's bytes, shifted into place. Amounts of 64 give 0, as PTX has it. */
function readWords(k: Builder, address: Value, bytes: Value, run: PairVariable): void {
  const start = address.and(2n ** 64n - 8n);
  const into = address.to("u32").and(7);
  const words = [0, 8, 16].map((offsetBytes) => {
    const word = k.variable("u64", 0);
    k.if(into.add(bytes).gt(offsetBytes), () =>
      word.set(k.load("global", start, { bits: 64, offsetBytes }, { nonCoherent: true })),
    );
    return word;
  });
  const [first, second, third] = words as [Variable, Variable, Variable];
  const [right, left] = [into.shl(3), k.constant("u32", 64).sub(into.shl(3))];
  run.low.set(first.shr(right).or(second.shl(left)));
  run.high.set(second.shr(right).or(third.shl(left)));
}

/** Where whole words would reach beyond the source: byte by byte. */
function readBytes(k: Builder, address: Value, bytes: Value, run: PairVariable): void {
  const i = k.variable("u32", 0);
  k.while(
    () => i.lt(bytes),
    () => {
      const byte = k.load("global", address.add(i.to("u64")), { bits: 8 }, { nonCoherent: true }).to("u64");
      const placed = shiftLeft(k, { low: byte, high: k.constant("u64", 0) }, i.shl(3));
      run.low.set(run.low.or(placed.low));
      run.high.set(run.high.or(placed.high));
      i.set(i.add(1));
    },
  );
}

function scatter(context: WalkContext, transfer: Value, first: Value, packed: Value, walker: Walker): void {
  const { k, list } = context;
  const [low, high] = k.loadVector("global", packed, { bits: 64, lanes: 2 }, { nonCoherent: true });
  if (low === undefined || high === undefined) throw new TypeError("chunk: expected two words");
  const rest = { low: k.variable("u64", low), high: k.variable("u64", high) };
  forEachRun(context, walker, list.u64(transfer, TRANSFER.target), first, (address, bytes) => {
    storeRun(k, address, bytes, rest);
  });
}

/** Stores the first bytes of two words, and shifts them out. */
function storeRun(k: Builder, address: Value, bytes: Value, rest: PairVariable): void {
  const at = k.variable("u64", address);
  const left = k.variable("u32", bytes);
  k.while(
    () => left.ne(0),
    () => {
      const step = widestStep(at.to("u32"), left);
      storeStep(k, at, step, rest.low);
      const moved = shiftRight(k, rest, step.shl(3));
      rest.low.set(moved.low);
      rest.high.set(moved.high);
      at.set(at.add(step.to("u64")));
      left.set(left.sub(step));
    },
  );
}

/**
 * A thread's piece of an equal run: read wherever it lies in the packed stream, and written from the run's own start,
 * which is mostly aligned, so that few stores do.
 */
export function moveRuns(context: WalkContext, transfer: Value, local: Value, walker: Walker): void {
  const { k, list, positionType } = context;
  const index = local.mul(k.special("ntid.x")).add(k.special("tid.x"));
  k.if(index.to("u64").lt(list.u64(transfer, TRANSFER.words)), () => {
    const magic = {
      multiplier: list.u32(transfer, TRANSFER.piecesMultiplier),
      shift: list.u32(transfer, TRANSFER.piecesShift),
    };
    const run = divideByShortMagic(index, magic);
    const inRun = index.sub(run.mul(list.u32(transfer, TRANSFER.pieces))).shl(4);
    const runBytes = list.u32(transfer, TRANSFER.runBytes);
    const position = run.mulAddWide(runBytes, inRun.to("u64")).add(list.u64(transfer, TRANSFER.bodyFirst));
    const bytes = runBytes.sub(inRun).min(CHUNK_BYTES);
    const rest = { low: k.variable("u64", 0), high: k.variable("u64", 0) };
    const source = list.u64(transfer, TRANSFER.source).add(position);
    const [offset] = walker.offsets([position.to(positionType)]);
    if (offset === undefined) throw new TypeError("run: expected an offset");
    const target = list.u64(transfer, TRANSFER.target).add(offset);
    if (context.traverses) return foldAddresses(k, [source, target]);
    readRun(context, transfer, source, bytes, rest);
    storeRun(k, target, bytes, rest);
  });
}

/** 8, 4, 2 or 1: the most bytes that the address's alignment and what is left allow. */
function widestStep(address: Value, left: Value): Value {
  const fits = (bytes: number): Value =>
    address
      .and(bytes - 1)
      .eq(0)
      .and(left.ge(bytes));
  const small = fits(2).select(2, 1, "u32");
  return fits(8).select(8, fits(4).select(4, small));
}

function storeStep(k: Builder, address: Value, step: Value, value: Value): void {
  const narrow = value.to("u32");
  k.if(step.eq(8), () => k.store("global", address, [value], { bits: 64 }));
  k.if(step.eq(4), () => k.store("global", address, [narrow], { bits: 32 }));
  k.if(step.eq(2), () => k.store("global", address, [narrow], { bits: 16 }));
  k.if(step.eq(1), () => k.store("global", address, [narrow], { bits: 8 }));
}

/** The first `bytes` bytes, 1 to 16; zeros behind them. (1 << 64) - 1 is all ones, since the shift gives 0. */
function masked(k: Builder, { low, high }: Pair, bytes: Value): Pair {
  const ones = (amount: Value): Value => k.constant("u64", 1).shl(amount).sub(1);
  return { low: low.and(ones(bytes.shl(3))), high: high.and(ones(bytes.max(8).sub(8).shl(3))) };
}

/** Shifts 128 bits to the left, by 0 to 127. A wrapped amount is past 64, and its part is 0. */
function shiftLeft(k: Builder, { low, high }: Pair, amount: Value): Pair {
  const across = low.shr(k.constant("u32", 64).sub(amount)).or(low.shl(amount.sub(64)));
  return { low: low.shl(amount), high: high.shl(amount).or(across) };
}

/** Shifts 128 bits to the right, by 1 to 64. */
function shiftRight(k: Builder, { low, high }: Pair, amount: Value): Pair {
  return { low: low.shr(amount).or(high.shl(k.constant("u32", 64).sub(amount))), high: high.shr(amount) };
}
