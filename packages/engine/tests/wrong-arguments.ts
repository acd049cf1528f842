import * as fc from "fast-check";

const detached = (): ArrayBuffer => {
  const buffer = new ArrayBuffer(32);
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
};

const detachedView = (): Float64Array => {
  const view = new Float64Array(4);
  structuredClone(view.buffer, { transfer: [view.buffer] });
  return view;
};

/** What plain JavaScript may hand to a function that expects something else. */
const STRANGE: readonly (() => unknown)[] = [
  () => undefined,
  () => null,
  () => true,
  () => "",
  () => "abc",
  () => 0,
  () => -1,
  () => 0.5,
  () => NaN,
  () => Infinity,
  () => 2 ** 53,
  () => 1n,
  () => Symbol("odd"),
  () => () => 1,
  () => [],
  () => [0, 0],
  () => ({}),
  () => Object.create(null) as object,
  () => ({ kind: "vector" }),
  () => ({ kind: "vector", count: "2", blocklength: 1, stride: 4, child: "MPI_INT" }),
  () => ({ kind: "struct", blocklengths: [1], displacements: [0], children: [null] }),
  () => ({ root: null, sizeBytes: 8 }),
  () => ({ memo: 1 }),
  () => ({ kind: "host" }),
  () => ({ kind: "host", sizeBytes: "8" }),
  () => ({ kind: "host", sizeBytes: 8, bytes: [1, 2] }),
  () => ({ kind: "host", sizeBytes: 8, bytes: new Float64Array(1) }),
  () => ({ kind: "host", sizeBytes: 8, address: -8 }),
  () => ({ kind: "device", sizeBytes: 8, address: "x" }),
  () => ({ kind: "host", regions: [null] }),
  () => ({ kind: "host", regions: [{ startBytes: 0 }] }),
  () => ({ kind: "host", regions: [{ startBytes: "0", buffer: {} }] }),
  () => ({ memory: null, originBytes: 0 }),
  () => ({ memory: { kind: "host", sizeBytes: 8 }, originBytes: "0" }),
  () => ({ memory: new Uint8Array(8), originBytes: 0 }),
  () => ({ originBytes: 0 }),
  detached,
  detachedView,
  () => new DataView(new ArrayBuffer(4)),
  () => new Float32Array(1),
  () => new Map(),
  () => new Date(0),
  () => Promise.resolve(),
  () => ({ count: null }),
  () => ({ count: "1" }),
  () => ({ count: 1n }),
  () => ({ first: {}, length: [] }),
  () => ({ queue: {} }),
  () => ({ backend: 7 }),
  () => ({ alignment: 3, threads: Infinity }),
  () => ({ memory: "moon" }),
];

export const wrongArgument = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...STRANGE).map((make) => make()) },
    { weight: 1, arbitrary: fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }) },
  );
