/** A copy of some bytes behind one of the views that applications hold. */
export interface ViewKind {
  readonly name: string;
  readonly copyOf: (bytes: Uint8Array) => ArrayBufferView;
}

const OFFSET_BYTES = 64;

/** What callers pass: whole arrays, parts of one, shared memory, DataViews, Node's Buffers. */
export const VIEW_KINDS: readonly ViewKind[] = [
  { name: "Uint8Array", copyOf: (bytes) => Uint8Array.from(bytes) },
  { name: "Uint8Array at an offset", copyOf: (bytes) => atOffset(new ArrayBuffer(bytes.length + OFFSET_BYTES), bytes) },
  { name: "SharedArrayBuffer", copyOf: (bytes) => atOffset(new SharedArrayBuffer(bytes.length + OFFSET_BYTES), bytes) },
  { name: "DataView", copyOf: (bytes) => new DataView(Uint8Array.from(bytes).buffer) },
  { name: "Buffer", copyOf: (bytes) => Buffer.from(bytes) },
];

const [WHOLE] = VIEW_KINDS as readonly [ViewKind];

/** Two arrays of the plainest kind, for plans to be bound to in turn. */
export const TOLD_KINDS: readonly ViewKind[] = [WHOLE, WHOLE];

function atOffset(buffer: ArrayBufferLike, bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(buffer, OFFSET_BYTES, bytes.length);
  view.set(bytes);
  return view;
}

export const bytesOf = (view: ArrayBufferView): Uint8Array =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
