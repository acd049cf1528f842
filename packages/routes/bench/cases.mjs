// A strided datatype between a device and pinned memory, for every contender: what it moves, and whether it moved it.
import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { copy2D, copyBytes } from "@stowage/cuda-driver";
import { forEachRun } from "@stowage/ir";
import { buildKernel } from "@stowage/ptx";
import { backends, bytesOf, context, download, requireSame, stream, upload, words } from "./harness.mjs";

const CANARY = 0xa5;

/** `rows` of `rowBytes`, `pitchBytes` apart, in `planes` of `planeBytes`: a face, or a vector. */
export class Strided {
  constructor({ name, layout, rowBytes, rows, pitchBytes, data, packed, image }) {
    Object.assign(this, { name, layout, rowBytes, rows, pitchBytes, data, packed, image });
    this.sizeBytes = rowBytes * rows;
  }

  get expected() {
    return (this.known ??= this.pack());
  }

  pack() {
    const packed = new Uint8Array(this.sizeBytes);
    const { image, rowBytes, rows, pitchBytes } = this;
    if (rowBytes === pitchBytes) packed.set(bytesOf(image).subarray(0, this.sizeBytes));
    else if (rowBytes <= 256) {
      const to = new Uint32Array(packed.buffer);
      const [row, pitch] = [rowBytes / 4, pitchBytes / 4];
      for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < row; j++) to[at++] = image[i * pitch + j];
    } else {
      const from = bytesOf(image);
      for (let i = 0; i < rows; i++) packed.set(from.subarray(i * pitchBytes, i * pitchBytes + rowBytes), i * rowBytes);
    }
    return packed;
  }

  /** What the data must be after an unpack into canaries. */
  unpacked() {
    const all = new Uint8Array(this.pitchBytes * (this.rows - 1) + this.rowBytes).fill(CANARY);
    const { expected, rowBytes, rows, pitchBytes } = this;
    if (rowBytes <= 256) {
      const [to, from] = [new Uint32Array(all.buffer), new Uint32Array(expected.buffer)];
      const [row, pitch] = [rowBytes / 4, pitchBytes / 4];
      for (let i = 0, at = 0; i < rows; i++) for (let j = 0; j < row; j++) to[i * pitch + j] = from[at++];
    } else for (let i = 0; i < rows; i++) all.set(expected.subarray(i * rowBytes, (i + 1) * rowBytes), i * pitchBytes);
    return all;
  }

  /** Runs a contender once on cleared memory, and throws where a byte is wrong. */
  verify({ name, run, plain = false, packedBytes = this.packed.bytes }, direction) {
    if (plain) return this.verifyPlain({ name, run }, direction);
    if (direction === "pack") {
      packedBytes.fill(0, 0, this.sizeBytes);
      run();
      requireSame(`${name}, ${this.name}`, packedBytes.subarray(0, this.sizeBytes), this.expected);
      return;
    }
    packedBytes.set(this.expected);
    this.data.fill(CANARY, stream);
    stream.synchronize();
    run();
    const got = new Uint8Array(this.pitchBytes * (this.rows - 1) + this.rowBytes);
    download(got, this.data.address);
    requireSame(`${name}, ${this.name}, unpacked`, got, (this.knownUnpacked ??= this.unpacked()));
    upload(this.data.address, this.image);
  }

  /** A copy of bytes that lie together. */
  verifyPlain({ name, run }, direction) {
    const expected = bytesOf(this.image).subarray(0, this.sizeBytes);
    if (direction === "pack") this.packed.bytes.fill(0, 0, this.sizeBytes);
    else this.packed.bytes.set(this.expected);
    run();
    if (direction === "pack") return requireSame(name, this.packed.bytes.subarray(0, this.sizeBytes), expected);
    const got = new Uint8Array(this.sizeBytes);
    download(got, this.data.address);
    requireSame(name, got, this.expected);
    upload(this.data.address, this.image);
  }

  /** As many bytes of pageable memory. */
  get pageable() {
    return (this.knownPageable ??= { kind: "host", sizeBytes: this.sizeBytes, bytes: new Uint8Array(this.sizeBytes) });
  }

  binding(direction, packedMemory = this.packed) {
    const [data, packed] = [this.data, packedMemory].map((memory) => ({ memory, originBytes: 0 }));
    const [source, target] = direction === "pack" ? [data, packed] : [packed, data];
    return { source, target, count: 1, first: 0, length: this.sizeBytes };
  }

  move(direction) {
    return direction === "pack" ? packMove(this.layout) : unpackMove(this.layout);
  }

  kinds(direction, given = {}) {
    const [sourceKind, targetKind] = direction === "pack" ? ["device", "pinned"] : ["pinned", "device"];
    return conditions({ sourceKind, targetKind, ...given });
  }

  /** A backend by its name; undefined where it refuses. */
  contender(name, direction, { as = name, queue = stream, pageable = false, ...given } = {}) {
    const backend = backends.get(name);
    const kinds = this.kinds(direction, pageable ? { ...given, [sideOf(direction)]: "host" } : given);
    if (!backend.supports([this.move(direction)], kinds).ok) return undefined;
    const kernel = backend.load(backend.compile([this.move(direction)], kinds));
    const plan = kernel.bind([this.binding(direction, pageable ? this.pageable : this.packed)]);
    return {
      name: as,
      packedBytes: pageable ? this.pageable.bytes : this.packed.bytes,
      plan,
      send: () => plan.run(queue),
      run: () => plan.run(queue).wait(),
      [Symbol.dispose]() {
        plan[Symbol.dispose]();
        kernel[Symbol.dispose]();
      },
    };
  }

  predicted(name, direction) {
    const backend = backends.get(name);
    const kinds = this.kinds(direction);
    const calibrated = { machine: "h200", figures: {} };
    return backend.supports([this.move(direction)], kinds).ok
      ? backend.predict([this.move(direction)], { ...kinds, count: 1 }, calibrated).runNs
      : Infinity;
  }

  /** The driver's own call for it. */
  copyCall(direction) {
    const { rowBytes, rows, pitchBytes, data, packed } = this;
    const apart = { address: data.address, host: false, pitchBytes };
    const dense = { address: packed.address, host: true, pitchBytes: rowBytes };
    const [to, from] = direction === "pack" ? [dense, apart] : [apart, dense];
    const flat = rows === 1 || rowBytes === pitchBytes;
    const copy = flat
      ? copyBytes(context, to.address, from.address, this.sizeBytes)
      : copy2D(context, to, from, { widthBytes: rowBytes, rows });
    return { name: flat ? "cuMemcpy" : "cuMemcpy2D", run: () => (copy.run(stream), stream.synchronize()) };
  }

  /** As many bytes side by side: what the bus takes. */
  plainCopy(direction) {
    const [to, from] = direction === "pack" ? [this.packed, this.data] : [this.data, this.packed];
    const copy = copyBytes(context, to.address, from.address, this.sizeBytes);
    return { name: "memcpy", plain: true, run: () => (copy.run(stream), stream.synchronize()) };
  }

  /** What one writes by hand: a word of 8 bytes a thread, on mapped memory. */
  byHand() {
    const [rowWords, pitchWords] = [this.rowBytes / 8, this.pitchBytes / 8];
    const total = this.sizeBytes / 8;
    const launch = context.kernel(packWords).launch(40, { grid: { x: Math.ceil(total / 256) }, block: { x: 256 } });
    [this.packed.address, this.data.address, total, rowWords, pitchWords].forEach((value, i) =>
      launch.setWord(i * 8, value),
    );
    return { name: "by hand", run: () => (launch.run(stream), stream.synchronize()) };
  }
}

const sideOf = (direction) => (direction === "pack" ? "targetKind" : "sourceKind");

const packWords = buildKernel(
  "pack_words_by_hand",
  { parameters: { packed: "u64", data: "u64", words: "u64", row: "u64", pitch: "u64" }, maxThreads: 256 },
  (builder, { packed, data, words: total, row, pitch }) => {
    const index = builder.globalThread();
    builder.if(index.lt(total), () => {
      const narrow = index.to("u32");
      const line = narrow.div(row.to("u32"));
      const column = narrow.sub(line.mul(row.to("u32")));
      const from = line.to("u64").mul(pitch).add(column.to("u64")).shl(3);
      const value = builder.load("global", data.add(from), { bits: 64 });
      builder.store("global", packed.add(index.shl(3)), [value], { bits: 64 });
    });
  },
);

/** One allocation with known bytes, for cases that lie in it one after the other. */
export function room(bytes) {
  const data = context.deviceMemory(bytes);
  const image = words(bytes);
  upload(data.address, image);
  return { data, image };
}

/** One element's packed bytes, run by run. */
export function referenceOf(layout, bytes) {
  const packed = new Uint8Array(layout.sizeBytes);
  let at = 0;
  forEachRun(layout, { count: 1, first: 0, length: layout.sizeBytes }, (offset, length) => {
    packed.set(bytes.subarray(offset, offset + length), at);
    at += length;
  });
  return packed;
}
