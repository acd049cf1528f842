import { int32, takeInt, takeWord, word64 } from "./cells.js";
import { check } from "./check.js";
import type { ContextHandle, StreamHandle } from "./context-handle.js";
import { Graph } from "./graph.js";

const CAPTURE_THREAD_LOCAL = 1;

/** Whether work that is sent to a stream now is recorded into a graph instead of run (cuStreamIsCapturing). */
export function isCapturing(context: ContextHandle, stream: StreamHandle): boolean {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuStreamIsCapturing", libcuda.cuStreamIsCapturing(stream.handle, int32));
  return takeInt() !== 0;
}

/**
 * Records what `send` sends to a stream, and runs none of it (cuStreamBeginCapture, thread-local mode). Where `send`
 * throws, the capture is given up, and its error is thrown. Throws a DriverError for work that cannot be captured.
 */
export function captureGraph(context: ContextHandle, { handle }: StreamHandle, send: () => void): Graph {
  const { libcuda } = context;
  context.enter();
  check(libcuda, "cuStreamBeginCapture", libcuda.cuStreamBeginCapture_v2(handle, CAPTURE_THREAD_LOCAL));
  let failure: { readonly error: unknown } | undefined;
  try {
    send();
  } catch (error) {
    failure = { error };
  }
  word64[0] = 0n;
  const result = libcuda.cuStreamEndCapture(handle, word64);
  const graph = takeWord();
  if (failure !== undefined) {
    if (graph !== 0) libcuda.cuGraphDestroy(graph);
    throw failure.error;
  }
  check(libcuda, "cuStreamEndCapture", result);
  return new Graph(context, graph);
}
