// Beside a kernel that fills the GPU: what it loses while bytes are packed to the host on few multiprocessors, and how
// long a pack takes behind it, in streams of both priorities.
import { buildKernel } from "@stowage/ptx";
import { canonicalise, lower, predefined, vector } from "@stowage/ir";
import { room, Strided } from "./cases.mjs";
import { context, median, now, simulated, us } from "./harness.mjs";

const KIB = 1024;
const MIB = 2 ** 20;
const THREADS = 256;

/** Rounds of dependent multiplications: compute alone, no memory but one word at the end. */
const compute = buildKernel(
  "compute_rounds",
  { parameters: { out: "u64", rounds: "u32" }, maxThreads: THREADS },
  (builder, { out, rounds }) => {
    const [i, value] = [builder.variable("u32", 0), builder.variable("u32", builder.special("tid.x"))];
    builder.while(
      () => i.lt(rounds),
      () => {
        for (let k = 0; k < 8; k++) value.set(value.mulAdd(1_664_525, 1_013_904_223));
        i.set(i.add(1));
      },
    );
    builder.if(value.eq(7), () => builder.store("global", out, [value], { bits: 32 }));
  },
);

const application = context.stream();
const streams = { normal: context.stream(), high: context.stream({ priority: "high" }) };
const [start, end] = [context.event({ timed: true }), context.event({ timed: true })];

function computeLaunch(rounds, blocks) {
  const launch = context.kernel(compute).launch(12, { grid: { x: blocks }, block: { x: THREADS } });
  launch.setWord(0, scratch.address);
  launch.parameters.setUint32(8, rounds, true);
  return launch;
}

const scratch = context.deviceMemory(KIB);

/** Milliseconds of the application's kernel on the device. */
function timed(launch, beside = () => undefined) {
  start.record(application);
  launch.run(application);
  end.record(application);
  beside();
  context.synchronize();
  return end.millisecondsSince(start);
}

/** Rounds after which a block has taken about so many microseconds, with the GPU full. */
function roundsFor(microseconds) {
  if (simulated) return 2;
  const perWave = context.device.multiprocessors * context.kernel(compute).blocksPerMultiprocessor(THREADS);
  const launch = computeLaunch(1000, perWave * 20);
  timed(launch);
  return Math.max(1, Math.round((1000 * microseconds) / ((timed(launch) * 1000) / 20)));
}

export function busyParts(results) {
  const size = simulated ? 64 * KIB : 16 * MIB;
  const { data, image } = room(2 * size);
  const packed = context.pinnedMemory(size);
  const blockBytes = 64;
  const layout = canonicalise(
    lower(vector(size / blockBytes, blockBytes / 8, blockBytes / 4, predefined("MPI_DOUBLE"))),
  );
  const strided = new Strided({
    name: "vector-64",
    layout,
    rowBytes: blockBytes,
    rows: size / blockBytes,
    pitchBytes: 2 * blockBytes,
    data,
    packed,
    image,
  });
  const perWave = simulated
    ? 1
    : context.device.multiprocessors * context.kernel(compute).blocksPerMultiprocessor(THREADS);
  const rounds = roundsFor(5);
  const launch = computeLaunch(rounds, perWave * (simulated ? 2 : 4000));
  const turns = simulated ? 1 : 9;
  const alone = [];
  for (let turn = 0; turn <= turns; turn++) alone.push(timed(launch));
  const aloneMs = median(alone);
  console.log(
    `compute: ${rounds} rounds a block, ${perWave} blocks at once, ${(aloneMs * 1000).toFixed(0)} us for 4000 waves`,
  );
  const rows = [];
  const row = (contender, direction, samples, extra) =>
    rows.push({
      workload: extra.workload,
      count: 1,
      packedBytes: size,
      direction,
      route: extra.route,
      contender,
      medianNs: Math.round(median(samples)),
      minNs: Math.round(Math.min(...samples)),
      maxNs: Math.round(Math.max(...samples)),
      runs: samples.length,
      verified: true,
      commitNs: 0,
    });
  row(
    "compute alone",
    "pack",
    alone.map((ms) => ms * 1e6),
    { workload: "compute", route: "host" },
  );
  for (const [priority, queue] of Object.entries(streams)) {
    for (const [name, smBudget, pageable = false] of [
      ["one-shot/cuda-strided", 2],
      ["one-shot/cuda-strided", 4],
      ["one-shot/cuda-generic", 4],
      ["cuda-strided", undefined],
      ["device/cuda-strided", undefined],
      ["device/cuda-strided", 4],
      ["pipelined/cuda-strided", 4],
      ["dma", undefined],
      ["device/dma", undefined],
      ["pipelined/dma", undefined],
      ["staged/cuda-strided", 4, true],
      ["staged/cuda-generic", 4, true],
      ["staged/dma", undefined, true],
      ["pipelined/cuda-strided", 4, true],
      ["pipelined/cuda-generic", 4, true],
      ["bulk/x64", undefined, true],
    ]) {
      const where = pageable ? ", pageable" : "";
      const as = `${name}${smBudget === undefined ? "" : `, ${smBudget} blocks`}${where}, ${priority} priority`;
      const given = { queue, as, pageable, ...(smBudget === undefined ? {} : { smBudget }) };
      const contender = strided.contender(name, "pack", given);
      strided.verify(contender, "pack");
      const single = [];
      for (let turn = 0; turn <= turns; turn++) {
        const before = now();
        contender.run();
        single.push(now() - before);
      }
      const aloneNs = median(single);
      // As many packs as the application's kernel is long.
      const packs = simulated ? 1 : Math.max(1, Math.round((aloneMs * 1e6) / aloneNs));
      const beside = [];
      for (let turn = 0; turn < turns; turn++)
        beside.push(
          timed(launch, () => {
            for (let i = 0; i < packs; i++) contender.send();
          }),
        );
      const besideMs = median(beside);
      const behind = [];
      for (let turn = 0; turn < turns; turn++) {
        launch.run(application);
        const before = now();
        contender.run();
        behind.push(now() - before);
        context.synchronize();
      }
      strided.verify(contender, "pack");
      console.log(
        `${as}: alone ${us(aloneNs)} us, behind the kernel ${us(median(behind))} us (${(median(behind) / aloneNs).toFixed(2)} times); the kernel beside ${packs} packs ${(besideMs * 1000).toFixed(0)} us (${(100 * (besideMs / aloneMs - 1)).toFixed(1)} %)`,
      );
      const route = name.split("/")[0] === "cuda-strided" ? "one-shot" : name.split("/")[0];
      row(as, "pack", single, { workload: "pack alone", route });
      row(as, "pack", behind, { workload: "pack behind compute", route });
      row(
        as,
        "pack",
        beside.map((ms) => ms * 1e6),
        { workload: `compute beside ${packs} packs`, route },
      );
      contender[Symbol.dispose]();
    }
  }
  results.add(rows);
}
