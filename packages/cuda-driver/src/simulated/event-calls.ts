import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { nameIn, writeName } from "./handle-name.js";
import { isForeign, type Machine } from "./machine.js";
import { isDone, reach, type SimulatedEvent } from "./timeline.js";

type EventCall = Extract<keyof Calls, `cuEvent${string}` | `cuIpc${string}Event${string}`>;

const DISABLE_TIMING = 2;
const INTERPROCESS = 4;

export function eventCalls(machine: Machine): Pick<Calls, EventCall> {
  const { events } = machine;
  return {
    cuEventCreate(out, flags) {
      const [timed, shared] = [(flags & DISABLE_TIMING) === 0, (flags & INTERPROCESS) !== 0];
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      out[0] = BigInt(events.add({ device: machine.current, timed, shared, milliseconds: 0 }));
      return results.SUCCESS;
    },
    cuEventDestroy_v2: (handle) => (events.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE),
    cuEventRecord: (handle, stream) => machine.withEvent(handle, (event) => record(machine, event, stream)),
    cuEventQuery: (handle) =>
      machine.withEvent(handle, (event) =>
        event.capturedIn !== undefined
          ? results.CAPTURED_EVENT
          : event.stream === undefined
            ? results.SUCCESS
            : machine.progress(event.stream, isDone(event)),
      ),
    cuEventSynchronize: (handle) =>
      machine.withEvent(handle, (event) => {
        if (event.capturedIn !== undefined) return results.CAPTURED_EVENT;
        reach(event);
        return machine.outcome();
      }),
    cuEventElapsedTime: (out, start, end) =>
      machine.withEvent(start, (from) => machine.withEvent(end, (to) => elapsed(out, from, to))),
    cuIpcGetEventHandle(handle, event) {
      if (events.get(event)?.shared !== true) return results.INVALID_HANDLE;
      handle.fill(0);
      new DataView(handle.buffer, handle.byteOffset).setBigUint64(0, BigInt(event), true);
      writeName(handle, machine.name);
      return results.SUCCESS;
    },
    // Events are those of one process: no pages hold them.
    cuIpcOpenEventHandle(out, handle) {
      if (isForeign(machine, nameIn(handle))) return results.NOT_SUPPORTED;
      const original = Number(new DataView(handle.buffer, handle.byteOffset).getBigUint64(0, true));
      return machine.withEvent(original, (event) => {
        out[0] = BigInt(events.add(event));
        return results.SUCCESS;
      });
    },
  };
}

function record(machine: Machine, event: SimulatedEvent, streamHandle: number): number {
  return machine.withStream(streamHandle, (stream) => {
    event.capture = stream.capture;
    event.capturedIn = stream.capture === undefined ? undefined : stream;
    if (stream.capture !== undefined) return results.SUCCESS;
    if (event.device !== stream.device) return results.INVALID_HANDLE;
    event.stream = stream;
    event.record = machine.send(stream, () => {
      event.milliseconds = performance.now();
    });
    return results.SUCCESS;
  });
}

function elapsed(out: Float32Array, from: SimulatedEvent, to: SimulatedEvent): number {
  if (!from.timed || !to.timed || from.record === undefined || to.record === undefined) return results.INVALID_HANDLE;
  if (!isDone(from) || !isDone(to)) return results.NOT_READY;
  out[0] = to.milliseconds - from.milliseconds;
  return results.SUCCESS;
}
