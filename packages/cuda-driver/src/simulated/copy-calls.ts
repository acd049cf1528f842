import type { Calls } from "../calls.js";
import * as results from "../results.js";
import type { Machine } from "./machine.js";
import { drain, send } from "./timeline.js";

type CopyCall = Extract<keyof Calls, `cuMemcpy${string}` | "cuMemsetD8Async">;

/** One side of a structured copy, as the driver reads it from CUDA_MEMCPY2D and CUDA_MEMCPY3D. */
interface Side {
  readonly address: number;
  readonly pitchBytes: number;
  readonly planeBytes: number;
}

interface Structured {
  readonly source: Side;
  readonly target: Side;
  readonly widthBytes: number;
  readonly rows: number;
  readonly planes: number;
}

const HOST = 1n;

export function copyCalls(machine: Machine): Pick<Calls, CopyCall> {
  const { space } = machine;

  /** Pageable sources are read, and pageable targets written, before the call returns (CUDA, "API synchronization behavior"). */
  const move = (stream: number, target: number, source: number, bytes: number): number => {
    if (bytes === 0) return results.SUCCESS;
    if (!space.holds(target, bytes) || !space.holds(source, bytes)) return results.INVALID_VALUE;
    const held = machine.stream(stream);
    if (held === undefined) return results.INVALID_HANDLE;
    if (held.capture === undefined && isPageable(source)) {
      const snapshot = space.read(source, bytes);
      send(held, () => space.write(target, snapshot));
      return results.SUCCESS;
    }
    const result = machine.enqueue(stream, { kernel: false, run: () => space.copy(target, source, bytes) });
    if (held.capture === undefined && isPageable(target)) drain(held);
    return result;
  };
  const isPageable = (address: number): boolean => space.ownerOf(address) === undefined && !isRegistered(address);
  const isRegistered = (address: number): boolean => {
    for (const [start, bytes] of machine.registered) if (address >= start && address < start + bytes) return true;
    return false;
  };
  const structured = (copy: Structured, stream: number): number => {
    const { source, target, widthBytes, rows, planes } = copy;
    if (widthBytes === 0 || rows === 0 || planes === 0) return results.SUCCESS;
    const MAX_PITCH = 2 ** 31 - 1;
    for (const side of [source, target]) {
      if (side.pitchBytes > MAX_PITCH || (rows > 1 && side.pitchBytes < widthBytes)) return results.INVALID_VALUE;
      const last = side.address + (planes - 1) * side.planeBytes + (rows - 1) * side.pitchBytes;
      if (!space.holds(side.address, 1) || !space.holds(last, widthBytes)) return results.INVALID_VALUE;
    }
    const run = (): void => {
      for (let plane = 0; plane < planes; plane++) {
        for (let row = 0; row < rows; row++) {
          const at = (side: Side): number => side.address + plane * side.planeBytes + row * side.pitchBytes;
          space.copy(at(target), at(source), widthBytes);
        }
      }
    };
    return machine.enqueue(stream, { kernel: false, run });
  };

  return {
    cuMemcpyAsync: (target, source, bytes, stream) => move(stream, target, source, bytes),
    cuMemcpyPeerAsync: (target, _to, source, _from, bytes, stream) => move(stream, target, source, bytes),
    cuMemcpy2DAsync_v2: (address, stream) => structured(decode2D(words(address, 16)), stream),
    cuMemcpy3DAsync_v2: (address, stream) => structured(decode3D(words(address, 25)), stream),
    cuMemcpyBatchAsync(targets, sources, sizes, count, _attributes, _indices, _attributeCount, failed, stream) {
      const held = machine.stream(stream);
      if (held === undefined || stream === 0) return results.INVALID_HANDLE;
      if (held.capture !== undefined) {
        held.capture.invalidated = true;
        return results.STREAM_CAPTURE_UNSUPPORTED;
      }
      if (machine.model.version < 12_080) return results.CALL_REQUIRES_NEWER_DRIVER;
      const lists = [targets, sources, sizes].map((address) => words(address, count));
      const at = (list: number, i: number): number => Number((lists[list] as BigUint64Array)[i]);
      for (let i = 0; i < count; i++) {
        if (space.holds(at(0, i), at(2, i)) && space.holds(at(1, i), at(2, i))) continue;
        words(failed, 1)[0] = BigInt(i);
        return results.INVALID_VALUE;
      }
      const run = (): void => {
        for (let i = 0; i < count; i++) space.copy(at(0, i), at(1, i), at(2, i));
      };
      return machine.enqueue(stream, { kernel: false, run });
    },
    cuMemsetD8Async(target, value, bytes, stream) {
      if (!space.holds(target, bytes)) return results.INVALID_VALUE;
      return machine.enqueue(stream, { kernel: false, run: () => space.fill(target, value, bytes) });
    },
  };

  /** The driver's own copy of what the caller points at. */
  function words(address: number, count: number): BigUint64Array {
    return new BigUint64Array(space.read(address, count * 8).buffer);
  }
}

const word = (words: BigUint64Array, i: number): number => Number(words[i]);

/** The address after x, y (and z), by memory type. */
function start(words: BigUint64Array, type: number): number {
  return words[type] === HOST ? word(words, type + 1) : word(words, type + 2);
}

function decode2D(words: BigUint64Array): Structured {
  const side = (first: number): Side => ({
    address: start(words, first + 2) + word(words, first) + word(words, first + 1) * word(words, first + 6),
    pitchBytes: word(words, first + 6),
    planeBytes: 0,
  });
  return { source: side(0), target: side(7), widthBytes: word(words, 14), rows: word(words, 15), planes: 1 };
}

function decode3D(words: BigUint64Array): Structured {
  const side = (first: number): Side => {
    const pitchBytes = word(words, first + 9);
    const planeBytes = pitchBytes * word(words, first + 10);
    const origin = word(words, first) + word(words, first + 1) * pitchBytes + word(words, first + 2) * planeBytes;
    return { address: start(words, first + 4) + origin, pitchBytes, planeBytes };
  };
  return {
    source: side(0),
    target: side(11),
    widthBytes: word(words, 22),
    rows: word(words, 23),
    planes: word(words, 24),
  };
}
