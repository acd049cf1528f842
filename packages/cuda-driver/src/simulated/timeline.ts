/** One piece of work in a stream; runs once, in the stream's order, no earlier than someone waits for it. */
export interface Operation {
  /** False where it cannot be done yet, and is to be tried again. */
  run(): boolean | void;
  done: boolean;
  /** Work of other streams that comes before it. */
  readonly after: readonly Sent[];
}

/** Work and the stream that it waits in. */
export interface Sent {
  readonly stream: SimulatedStream;
  readonly operation: Operation;
}

/** A kernel node keeps what it launches, so that its parameters can be changed. */
export interface GraphNode {
  readonly kernel: boolean;
  run(): boolean | void;
}

export interface SimulatedGraph {
  readonly nodes: Map<number, GraphNode>;
}

export interface SimulatedStream {
  readonly device: number;
  /** Whether it waits for the legacy default stream, and that for it. CUDA programming guide, "Default stream". */
  readonly blocking: boolean;
  readonly pending: Operation[];
  capture?: Capture | undefined;
}

export interface Capture {
  readonly graph: SimulatedGraph;
  /** The stream that began it; others joined by waiting for its events. */
  readonly origin: SimulatedStream;
  readonly joined: Set<SimulatedStream>;
  /** Those with work behind the last event of theirs that another waited for. */
  readonly open: Set<SimulatedStream>;
  invalidated: boolean;
}

/** `record` is the operation that the last record left in a stream; recorded while capturing, the capture instead. */
export interface SimulatedEvent {
  readonly device: number;
  readonly timed: boolean;
  readonly shared: boolean;
  stream?: SimulatedStream;
  record?: Operation;
  capture?: Capture | undefined;
  /** The stream of an event that was recorded while capturing. */
  capturedIn?: SimulatedStream | undefined;
  milliseconds: number;
}

export const isDone = (event: SimulatedEvent): boolean => event.record?.done ?? true;

/**
 * Runs the stream's next operation, and before it whatever that waits for. False where something cannot be done yet.
 */
export function step(stream: SimulatedStream): boolean {
  const next = stream.pending[0];
  if (next === undefined) return true;
  for (const { stream: other, operation } of next.after) if (!advance(other, operation)) return false;
  if (next.run() === false) return false;
  stream.pending.shift();
  next.done = true;
  return true;
}

/** Runs a stream up to and including one operation, or to its end. False where something cannot be done yet. */
export function advance(stream: SimulatedStream, until?: Operation): boolean {
  while (stream.pending.length > 0 && until?.done !== true) if (!step(stream)) return false;
  return true;
}

/** Runs a stream's operations, up to `until` where given, and waits for those that cannot run yet. */
export function drain(stream: SimulatedStream, until?: Operation): void {
  while (!advance(stream, until)) pause();
}

const PAUSE_MS = 0.1;
let nobody: Int32Array | undefined;

/** What waits for another process never runs in a browser, which may have no SharedArrayBuffer. */
function pause(): void {
  nobody ??= new Int32Array(new SharedArrayBuffer(4));
  Atomics.wait(nobody, 0, 0, PAUSE_MS);
}

export function reach(event: SimulatedEvent): void {
  if (event.stream !== undefined && event.record !== undefined) drain(event.stream, event.record);
}

export function send(stream: SimulatedStream, run: Operation["run"], after: readonly Sent[] = []): Operation {
  const operation = { run, done: false, after };
  stream.pending.push(operation);
  return operation;
}

/** The work that a stream would come to last. */
export function lastOf(stream: SimulatedStream): readonly Sent[] {
  const operation = stream.pending.at(-1);
  return operation === undefined ? [] : [{ stream, operation }];
}
