// What experiments on host memory share: one move over page-aligned memory that all contenders use, and who moves it.
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { X64Backend } from "@stowage/backend-x64";
import { plainLoop, plainMemcpy } from "@stowage/bench/plain-c";
import { boundsOf, canonicalise, forEachRun, lower } from "@stowage/ir";
import { nearestPackedBytes, workload } from "@stowage/workloads";
import koffi from "koffi";

export const DIRECTIONS = ["pack", "unpack"];
const PAGE_BYTES = 4096;
const CANARY = 0x5a;

/** Bytes that start on a page, as an application's arrays do. */
export function pageAligned(bytes) {
  const whole = new Uint8Array(bytes + PAGE_BYTES);
  const start = (PAGE_BYTES - (Number(koffi.address(whole)) % PAGE_BYTES)) % PAGE_BYTES;
  return whole.subarray(start, start + bytes);
}

/** Bytes from the first that a workload reads of its array, or writes, to the last. */
export function arrayBytes(name, packedBytes) {
  const { datatype, count } = workload(name, { packedBytes });
  const { trueExtentBytes, extentBytes } = boundsOf(datatype);
  return trueExtentBytes + (count - 1) * Math.abs(extentBytes);
}

/**
 * A layout to be packed or unpacked, and what the target must then hold, as a walk over its runs says. `others`: the
 * same move on other memories, for contenders that take them in turn.
 */
export function moveOn(name, layout, direction, count = 1, memories = 1) {
  const [move, ...others] = Array.from({ length: memories }, () => moveOnce(name, layout, direction, count));
  return { ...move, others };
}

function moveOnce(name, layout, direction, count) {
  const packing = direction === "pack";
  const length = layout.sizeBytes * count;
  const range = { count, first: 0, length };
  const firsts = [layout.trueLowerBoundBytes, layout.trueLowerBoundBytes + (count - 1) * layout.extentBytes];
  const low = Math.min(0, ...firsts);
  const array = pageAligned(Math.max(...firsts) + layout.trueExtentBytes - low);
  const message = pageAligned(length);
  const source = packing ? array : message;
  const target = packing ? message : array;
  for (let i = 0; i < source.length; i++) source[i] = (i * 131 + (i >> 8)) & 255;
  const sides = [{ bytes: array, originBytes: -low }, { bytes: message, originBytes: 0 }]; // prettier-ignore
  const [from, into] = packing ? sides : sides.toReversed();
  const span = ({ bytes, originBytes }) => ({ memory: hostMemory(bytes), originBytes });
  let want;
  return {
    label: { workload: name, count, packedBytes: length, direction },
    ...{ layout, direction, count, low, source, target, from, into, message, range },
    move: packing ? packMove(layout) : unpackMove(layout),
    binding: { source: span(from), target: span(into), ...range },
    /** Clears the target, runs, and throws where a byte is wrong. */
    check(who, run) {
      want ??= wanted(layout, packing, range, low, source, target.length);
      target.fill(CANARY);
      run();
      if (Buffer.compare(target, want) !== 0)
        throw new Error(`${name} ${direction}: expected ${who} to move what the runs say, got other bytes`);
    },
  };
}

function wanted(layout, packing, range, low, source, sizeBytes) {
  const want = new Uint8Array(sizeBytes).fill(CANARY);
  let at = 0;
  forEachRun(layout, range, (offset, length) => {
    if (packing) want.set(source.subarray(offset - low, offset - low + length), at);
    else want.set(source.subarray(at, at + length), offset - low);
    at += length;
  });
  return want;
}

/** A workload at about so many packed bytes, or as published. */
export function workloadOn(name, packedBytes, direction) {
  const given = packedBytes === undefined ? {} : { packedBytes: nearestPackedBytes(name, packedBytes) };
  const { datatype, count } = workload(name, given);
  return { ...moveOn(name, canonicalise(lower(datatype)), direction, count), datatype };
}

const entrant = (cell, who, call, facts = {}) => ({
  ...{ facts, run: () => call.run() },
  check: () => cell.check(who, () => call.run()),
});

/** A backend, or x64 with options, on a move; on each of its memories in turn. */
export function backendOn(cell, backend, given = {}) {
  const begun = process.hrtime.bigint();
  const kernel = backend.load(backend.compile([cell.move], conditions(given)));
  const commitNs = Number(process.hrtime.bigint() - begun);
  const moves = [cell, ...(cell.others ?? [])];
  const plans = moves.map(({ binding }) => kernel.bind([binding]));
  const [plan] = plans;
  let at = 0;
  const inTurn = { run: () => plans[(at = at + 1 < plans.length ? at + 1 : 0)].run() };
  return {
    ...entrant(cell, backend.name, plans.length === 1 ? plan : inTurn, { commitNs }),
    check: () => moves.forEach((each, i) => each.check(backend.name, () => plans[i].run())),
    plan,
    [Symbol.dispose]: () => [...plans, kernel].forEach((each) => each[Symbol.dispose]()),
  };
}

export const x64On = (cell, options = {}) => backendOn(cell, new X64Backend(options));

/** The loop in plain C that does what a workload does. */
export function plainCOn(cell) {
  const { datatype, layout, count, direction, from, into, label } = cell;
  const how = { count, extentBytes: layout.extentBytes, direction };
  return entrant(cell, "c-O3", plainLoop(label.workload, datatype, how, from, into));
}

/** As many bytes from one packed buffer to another. */
export function memcpyOn({ message }) {
  const call = plainMemcpy(message, pageAligned(message.length), message.length);
  return { run: () => call.run() };
}
