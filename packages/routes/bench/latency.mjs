// How soon the host sees 1 KiB packed: by an event, by a graph, by a flag in mapped memory, by a kernel that waits.
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { room, Strided } from "./cases.mjs";
import { backends, context, measure, requireSame, simulated, stream, us } from "./harness.mjs";

const ROWS = 128;
const PITCH_BYTES = 4096;

export function latency(results) {
  const { data, image } = room(ROWS * PITCH_BYTES);
  const packed = context.pinnedMemory(ROWS * 8);
  const layout = canonicalise(lower(vector(ROWS, 1, PITCH_BYTES / 8, predefined("MPI_DOUBLE"))));
  const strided = new Strided({
    name: "column-1KiB",
    layout,
    rowBytes: 8,
    rows: ROWS,
    pitchBytes: PITCH_BYTES,
    data,
    packed,
    image,
  });
  const contenders = ["cuda-strided", "cuda-generic", "dma"].flatMap((packer) => {
    const name = `one-shot/${packer}`;
    const plain = strided.contender(name, "pack");
    const polled = () => {
      const end = plain.plan.run(stream);
      while (!end.poll());
    };
    const graphs = ["event", "flag"].map((completion) => {
      const { plan } = strided.contender(name, "pack");
      const graph = plan.capture(stream, { completion });
      return { name: `${name}, graph and ${completion}`, run: () => graph.run(stream).wait() };
    });
    const { plan } = strided.contender(name, "pack");
    const graph = plan.capture(stream);
    return [
      plain,
      { name: `${name}, polled`, run: polled },
      ...graphs,
      { name: `${name}, graph and stream`, run: () => (graph.run(stream), stream.synchronize()) },
    ];
  });
  contenders.push(
    strided.contender("device/cuda-strided", "pack"),
    strided.copyCall("pack"),
    strided.plainCopy("pack"),
  );
  for (const contender of contenders) strided.verify(contender, "pack");
  const measured = measure(contenders, { budgetMs: 100, mostRuns: 2000, perTurn: 20 });
  // By itself: whoever waits for the device waits for the kernel to leave.
  measured.push(...doorbell(strided));
  for (const { contender, medianNs, minNs } of measured)
    console.log(`1 KiB, ${contender}: ${us(medianNs)} us, least ${us(minNs)}`);
  results.add(
    measured.map((row) => ({
      workload: strided.name,
      count: 1,
      packedBytes: strided.sizeBytes,
      direction: "pack",
      route: row.contender.startsWith("device") ? "device" : row.contender.startsWith("one-shot") ? "one-shot" : "dma",
      verified: true,
      commitNs: 0,
      ...row,
    })),
  );
}

function doorbell(strided) {
  const backend = backends.get("cuda-strided");
  const given = [strided.move("pack"), strided.kinds("pack"), strided.binding("pack")];
  const pack = backend.resident(...given, { idleMicroseconds: simulated ? 1 : 500_000 });
  const run = () => pack.ring().wait();
  run();
  const rings = measure([{ name: "one-shot/cuda-strided, doorbell", run }], {
    budgetMs: 100,
    mostRuns: 4000,
    perTurn: 50,
  });
  strided.packed.bytes.fill(0);
  run();
  requireSame("doorbell", strided.packed.bytes, strided.expected);
  pack[Symbol.dispose]();
  return rings;
}
