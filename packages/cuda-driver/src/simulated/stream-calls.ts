import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { captureCalls, join } from "./capture-calls.js";
import type { Machine } from "./machine.js";
import { advance, drain, type Capture, type SimulatedStream } from "./timeline.js";

type StreamCall = Extract<keyof Calls, `cuStream${string}`>;

const NON_BLOCKING = 1;

export function streamCalls(machine: Machine): Pick<Calls, StreamCall> {
  const { streams } = machine;
  return {
    ...captureCalls(machine),
    cuStreamCreate(out, flags) {
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      const blocking = (flags & NON_BLOCKING) === 0;
      out[0] = BigInt(streams.add({ device: machine.current, blocking, pending: [] }));
      return results.SUCCESS;
    },
    cuStreamCreateWithPriority(out, flags) {
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      const blocking = (flags & NON_BLOCKING) === 0;
      out[0] = BigInt(streams.add({ device: machine.current, blocking, pending: [] }));
      return results.SUCCESS;
    },
    cuStreamWriteValue32_v2(handle, address, value) {
      const { space } = machine;
      if (address % 4 !== 0 || !space.holds(address, 4)) return results.INVALID_VALUE;
      const bytes = new Uint8Array(Uint32Array.of(value).buffer);
      return machine.enqueue(handle, { kernel: false, run: () => space.write(address, bytes) });
    },
    cuStreamDestroy_v2: (handle) =>
      machine.withStream(handle, (stream) => {
        drain(stream);
        return streams.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE;
      }),
    cuStreamQuery: (handle) =>
      machine.withStream(handle, (stream) =>
        outsideCapture(stream, () => machine.progress(stream, stream.pending.length === 0)),
      ),
    cuStreamSynchronize: (handle) =>
      machine.withStream(handle, (stream) =>
        outsideCapture(stream, () => {
          drain(stream);
          return machine.outcome();
        }),
      ),
    cuStreamWaitEvent: (handle, eventHandle) =>
      machine.withStream(handle, (stream) =>
        machine.withEvent(eventHandle, (event) => {
          if (event.capture !== undefined) return join(stream, event.capture, event);
          if (stream.capture !== undefined && event.record !== undefined) return isolated(stream.capture);
          const { record, stream: source } = event;
          const wait = (): boolean => source === undefined || record === undefined || advance(source, record);
          return machine.enqueue(handle, { kernel: false, run: wait });
        }),
      ),
  };
}

/** A capture may not wait for what lies outside of it. */
function isolated(capture: Capture): number {
  capture.invalidated = true;
  return results.STREAM_CAPTURE_ISOLATION;
}

/** Asking about work in a capture is an error that spoils the capture. */
function outsideCapture({ capture }: SimulatedStream, act: () => number): number {
  if (capture === undefined) return act();
  capture.invalidated = true;
  return results.STREAM_CAPTURE_UNSUPPORTED;
}
