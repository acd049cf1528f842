// One workload at one size in one direction: buffers, the plans of all contenders, and whether they agree.
import { conditions, hostMemory, packMove, unpackMove } from "@stowage/backend-api";
import { boundsOf, canonicalise, forEachRun, lower } from "@stowage/ir";
import koffi from "koffi";
import { nearestPackedBytes, workload } from "@stowage/workloads";
import { X64Backend } from "../dist/index.js";
import { plainLoop, plainMemcpy } from "@stowage/bench/plain-c";

/** Bytes that start on a page, as an application's arrays do. */
export function lineAligned(bytes) {
  const whole = new Uint8Array(bytes + 4096);
  return whole.subarray((4096 - (Number(koffi.address(whole)) % 4096)) % 4096).subarray(0, bytes);
}

/** Bytes from the first that a workload reads of its array, or writes, to the last. */
export function arrayBytes(name, packedBytes) {
  const { datatype, count } = workload(name, { packedBytes });
  const { trueExtentBytes, extentBytes } = boundsOf(datatype);
  return trueExtentBytes + (count - 1) * Math.abs(extentBytes);
}

export function openCell(name, packedBytes, direction, options = {}) {
  const {
    datatype,
    count,
    packedBytes: actual,
  } = workload(name, packedBytes === undefined ? {} : { packedBytes: nearestPackedBytes(name, packedBytes) });
  const layout = canonicalise(lower(datatype));
  const lows = [layout.trueLowerBoundBytes, layout.trueLowerBoundBytes + (count - 1) * layout.extentBytes];
  const low = Math.min(0, ...lows);
  const high = Math.max(...lows) + layout.trueExtentBytes;
  const array = lineAligned(high - low);
  const message = lineAligned(actual);
  for (let i = 0; i < array.length; i++) array[i] = (i * 131 + (i >> 8)) & 255;
  for (let i = 0; i < message.length; i++) message[i] = (i * 37 + (i >> 8)) & 255;
  const pack = direction === "pack";
  const [source, target] = pack ? [array, message] : [message, array];
  const [sourceOrigin, targetOrigin] = pack ? [-low, 0] : [0, -low];
  const backend = new X64Backend(options);
  const start = process.hrtime.bigint();
  const kernel = backend.load(backend.compile([pack ? packMove(layout) : unpackMove(layout)], conditions()));
  const commitNs = Number(process.hrtime.bigint() - start);
  const binding = {
    source: { memory: hostMemory(source), originBytes: sourceOrigin },
    target: { memory: hostMemory(target), originBytes: targetOrigin },
    count,
    first: 0,
    length: actual,
  };
  const x64 = kernel.bind([binding]);
  const plain = plainLoop(
    name,
    datatype,
    { count, extentBytes: layout.extentBytes, direction },
    { bytes: source, originBytes: sourceOrigin },
    { bytes: target, originBytes: targetOrigin },
  );
  // As many bytes from one packed buffer to another.
  const memcpy = plainMemcpy(message, lineAligned(actual), actual);
  const contenders = { x64, "c-O3": plain };
  return {
    name,
    count,
    direction,
    packedBytes: actual,
    layout,
    kernel,
    contenders,
    memcpy,
    commitNs,
    source,
    target,
    low,
    range: { count, first: 0, length: actual },
    binding,
  };
}

/** Whether both contenders write what a walk over the runs says; throws where one does not. */
export function verify({ name, direction, layout, contenders, source, target, low, range }) {
  const want = target.slice();
  let at = 0;
  forEachRun(layout, range, (offset, length) => {
    if (direction === "pack") want.set(source.subarray(offset - low, offset - low + length), at);
    else want.set(source.subarray(at, at + length), offset - low);
    at += length;
  });
  const before = target.slice();
  for (const [who, plan] of Object.entries(contenders)) {
    target.set(before);
    plan.run();
    if (Buffer.compare(target, want) !== 0)
      throw new Error(`${name} ${direction}: expected ${who} to move what the runs say, got other bytes`);
  }
  return true;
}
