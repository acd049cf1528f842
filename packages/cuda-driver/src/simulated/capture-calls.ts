import type { Calls } from "../calls.js";
import * as results from "../results.js";
import { give } from "./give.js";
import type { Machine } from "./machine.js";
import type { Capture, SimulatedEvent, SimulatedStream } from "./timeline.js";

type CaptureCall = "cuStreamBeginCapture_v2" | "cuStreamEndCapture" | "cuStreamIsCapturing";

export function captureCalls(machine: Machine): Pick<Calls, CaptureCall> {
  return {
    cuStreamBeginCapture_v2: (handle) =>
      machine.withStream(handle, (stream) => {
        if (handle <= 1) return results.STREAM_CAPTURE_UNSUPPORTED;
        if (stream.capture !== undefined) return results.INVALID_VALUE;
        const graph = { nodes: new Map() };
        stream.capture = { graph, origin: stream, joined: new Set([stream]), open: new Set(), invalidated: false };
        return results.SUCCESS;
      }),
    cuStreamEndCapture: (handle, out) =>
      machine.withStream(handle, (stream) => {
        const { capture } = stream;
        if (capture === undefined) return results.INVALID_VALUE;
        if (capture.origin !== stream) return results.STREAM_CAPTURE_UNMATCHED;
        for (const member of capture.joined) member.capture = undefined;
        if (capture.invalidated) return results.STREAM_CAPTURE_INVALIDATED;
        if ([...capture.joined].some((member) => member !== stream && capture.open.has(member)))
          return results.STREAM_CAPTURE_UNJOINED;
        out[0] = BigInt(machine.graphs.add(capture.graph));
        return results.SUCCESS;
      }),
    cuStreamIsCapturing: (handle, status) =>
      machine.withStream(handle, ({ capture }) =>
        give(status, capture === undefined ? 0 : capture.invalidated ? 2 : 1),
      ),
  };
}

/**
 * A stream that waits for an event of a capture becomes part of it, and must be waited for in its turn; the stream
 * whose last work the event marks is waited for herewith.
 */
export function join(stream: SimulatedStream, capture: Capture, event: SimulatedEvent): number {
  if (event.capturedIn !== undefined && event.capturedIn !== stream) capture.open.delete(event.capturedIn);
  stream.capture = capture;
  capture.joined.add(stream);
  capture.open.add(stream);
  return results.SUCCESS;
}
