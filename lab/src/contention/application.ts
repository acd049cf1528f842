import { copyBytes, type Context, type OwnStream } from "@stowage/cuda-driver";
import { buildKernel } from "@stowage/ptx";

/** What contends: multiprocessors, or a direction of the bus. */
export const LOADS = ["sm", "h2d", "d2h"] as const;
export type Load = (typeof LOADS)[number];

/** The application's own work, in a stream of its own: what Jenkins et al. call the user's operation. */
export interface Application extends Disposable {
  readonly stream: OwnStream;
  readonly text: string;
  send(): void;
}

/** The papers' applications: adding two vectors, or one memory copy, over about as long as a pack takes. */
export function applicationOf(context: Context, load: Load, sizeBytes: number, addBytes: number): Application {
  return load === "sm" ? vectorAdd(context, addBytes) : busCopy(context, load, sizeBytes);
}

const THREADS = 256;

const addVectors = buildKernel(
  "add_vectors",
  { parameters: { sum: "u64", a: "u64", b: "u64" }, maxThreads: THREADS },
  (builder, { sum, a, b }) => {
    const offset = builder.globalThread().shl(4);
    const [left, right] = [a, b].map((list) =>
      builder.loadVector("global", list.add(offset), { bits: 32, lanes: 4 }, { nonCoherent: true }),
    );
    const added = (left ?? []).map((word, i) => word.add(right?.[i] ?? 0));
    builder.store("global", sum.add(offset), added, { bits: 32 });
  },
);

function vectorAdd(context: Context, bytes: number): Application {
  const vectors = [0, 1, 2].map(() => context.deviceMemory(bytes));
  const stream = context.stream();
  const launch = context.kernel(addVectors).launch(24, { grid: { x: bytes / 16 / THREADS }, block: { x: THREADS } });
  vectors.forEach(({ address }, i) => launch.setWord(i * 8, address));
  return {
    stream,
    text: `adding vectors of ${bytes} bytes on every multiprocessor`,
    send: () => launch.run(stream),
    [Symbol.dispose]: () => [stream, ...vectors].forEach((held) => held[Symbol.dispose]()),
  };
}

function busCopy(context: Context, load: "h2d" | "d2h", bytes: number): Application {
  const [device, host] = [context.deviceMemory(bytes), context.pinnedMemory(bytes)] as const;
  const stream = context.stream();
  const [to, from] = load === "h2d" ? [device, host] : [host, device];
  const copy = copyBytes(context, to.address, from.address, bytes);
  return {
    stream,
    text: `one copy of ${bytes} bytes ${load === "h2d" ? "to" : "from"} the device`,
    send: () => copy.run(stream),
    [Symbol.dispose]: () => [stream, device, host].forEach((held) => held[Symbol.dispose]()),
  };
}
