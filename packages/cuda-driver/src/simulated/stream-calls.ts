import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./device-calls.js";
import type { Machine } from "./machine.js";
import {
  drain,
  isDone,
  reach,
  send,
  step,
  type Capture,
  type SimulatedEvent,
  type SimulatedStream,
} from "./timeline.js";

type StreamCall = Extract<keyof Calls, `cuStream${string}` | `cuEvent${string}` | `cuIpc${string}Event${string}`>;

const DISABLE_TIMING = 2;
const INTERPROCESS = 4;

export function streamCalls(machine: Machine): Pick<Calls, StreamCall> {
  const { streams, events, graphs } = machine;
  const withStream = (handle: number, act: (stream: SimulatedStream) => number): number => {
    const stream = machine.stream(handle);
    return stream === undefined ? results.INVALID_HANDLE : act(stream);
  };
  const withEvent = (handle: number, act: (event: SimulatedEvent) => number): number => {
    const event = events.get(handle);
    return event === undefined ? results.INVALID_HANDLE : act(event);
  };
  /** Asking about work in a capture is an error that spoils the capture. */
  const settle = (stream: SimulatedStream, act: () => void): number => {
    if (stream.capture !== undefined) {
      stream.capture.invalidated = true;
      return results.STREAM_CAPTURE_UNSUPPORTED;
    }
    act();
    return machine.sticky?.result ?? results.SUCCESS;
  };
  /** A query never waits: it tells what was so when it was asked, and lets the device work on meanwhile. */
  const progress = (stream: SimulatedStream, done: boolean): number => {
    if (done) return machine.sticky?.result ?? results.SUCCESS;
    step(stream);
    return machine.sticky?.result ?? results.NOT_READY;
  };

  return {
    cuStreamCreate(out) {
      if (machine.current === undefined) return results.INVALID_CONTEXT;
      out[0] = BigInt(streams.add({ device: machine.current, pending: [] }));
      return results.SUCCESS;
    },
    cuStreamDestroy_v2: (handle) =>
      withStream(handle, (stream) => {
        drain(stream);
        return streams.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE;
      }),
    cuStreamQuery: (handle) =>
      withStream(handle, (stream) =>
        stream.capture === undefined ? progress(stream, stream.pending.length === 0) : settle(stream, () => undefined),
      ),
    cuStreamSynchronize: (handle) => withStream(handle, (stream) => settle(stream, () => drain(stream))),
    cuStreamWaitEvent: (handle, eventHandle) =>
      withStream(handle, (stream) =>
        withEvent(eventHandle, (event) => {
          if (event.capture !== undefined) return join(stream, event.capture);
          const record = event.record;
          const source = event.stream;
          const wait = (): void => {
            if (source !== undefined && record !== undefined) drain(source, record);
          };
          return machine.enqueue(handle, { kernel: false, run: wait });
        }),
      ),
    cuStreamBeginCapture_v2: (handle) =>
      withStream(handle, (stream) => {
        if (handle === 0) return results.STREAM_CAPTURE_UNSUPPORTED;
        if (stream.capture !== undefined) return results.INVALID_VALUE;
        const graph = { nodes: new Map() };
        stream.capture = { graph, origin: stream, joined: new Set([stream]), invalidated: false };
        return results.SUCCESS;
      }),
    cuStreamEndCapture: (handle, out) =>
      withStream(handle, (stream) => {
        const { capture } = stream;
        if (capture === undefined) return results.INVALID_VALUE;
        if (capture.origin !== stream) return results.STREAM_CAPTURE_UNMATCHED;
        for (const member of capture.joined) member.capture = undefined;
        if (capture.invalidated) return results.STREAM_CAPTURE_INVALIDATED;
        out[0] = BigInt(graphs.add(capture.graph));
        return results.SUCCESS;
      }),
    cuStreamIsCapturing: (handle, status) =>
      withStream(handle, ({ capture }) => give(status, capture === undefined ? 0 : capture.invalidated ? 2 : 1)),
    cuEventCreate(out, flags) {
      out[0] = BigInt(
        events.add({ timed: (flags & DISABLE_TIMING) === 0, shared: (flags & INTERPROCESS) !== 0, milliseconds: 0 }),
      );
      return results.SUCCESS;
    },
    cuEventDestroy_v2: (handle) => (events.remove(handle) ? results.SUCCESS : results.INVALID_HANDLE),
    cuEventRecord: (handle, streamHandle) =>
      withEvent(handle, (event) =>
        withStream(streamHandle, (stream) => {
          event.capture = stream.capture;
          if (stream.capture !== undefined) return results.SUCCESS;
          event.stream = stream;
          event.record = send(stream, () => {
            event.milliseconds = performance.now();
          });
          return results.SUCCESS;
        }),
      ),
    cuEventQuery: (handle) =>
      withEvent(handle, (event) => {
        const { stream } = event;
        return stream === undefined ? results.SUCCESS : progress(stream, isDone(event));
      }),
    cuEventSynchronize: (handle) =>
      withEvent(handle, (event) => {
        reach(event);
        return machine.sticky?.result ?? results.SUCCESS;
      }),
    cuEventElapsedTime: (out, start, end) =>
      withEvent(start, (from) =>
        withEvent(end, (to) => {
          if (!from.timed || !to.timed || from.record === undefined || to.record === undefined)
            return results.INVALID_HANDLE;
          if (!isDone(from) || !isDone(to)) return results.NOT_READY;
          out[0] = to.milliseconds - from.milliseconds;
          return results.SUCCESS;
        }),
      ),
    cuIpcGetEventHandle(handle, event) {
      if (events.get(event)?.shared !== true) return results.INVALID_HANDLE;
      new DataView(handle.buffer, handle.byteOffset).setBigUint64(0, BigInt(event), true);
      return results.SUCCESS;
    },
    cuIpcOpenEventHandle(out, handle) {
      const original = Number(new DataView(handle.buffer, handle.byteOffset).getBigUint64(0, true));
      return withEvent(original, (event) => {
        out[0] = BigInt(events.add(event));
        return results.SUCCESS;
      });
    },
  };
}

function join(stream: SimulatedStream, capture: Capture): number {
  stream.capture = capture;
  capture.joined.add(stream);
  return results.SUCCESS;
}
