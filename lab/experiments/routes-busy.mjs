import { formatNs, summarise } from "@stowage/bench";
import { rowsTable } from "@stowage/bench/results";
import { buildKernel } from "@stowage/ptx";
import { vectorOf } from "../parts/cuda-rows.mjs";
import { backendOn, cellsOn, routeOf } from "../parts/device.mjs";
import { routesExperiment } from "../parts/routes.mjs";

const THREADS = 256;
const WAYS = [
  ["one-shot/cuda-strided", 2],
  ["one-shot/cuda-strided", 4],
  ["one-shot/cuda-generic", 4],
  ["cuda-strided"],
  ["device/cuda-strided"],
  ["device/cuda-strided", 4],
  ["pipelined/cuda-strided", 4],
  ["dma"],
  ["device/dma"],
  ["pipelined/dma"],
  ...["staged/cuda-strided", "staged/cuda-generic"].map((name) => [name, 4, "host"]),
  ["staged/dma", undefined, "host"],
  ...["pipelined/cuda-strided", "pipelined/cuda-generic"].map((name) => [name, 4, "host"]),
  ["bulk/x64", undefined, "host"],
];

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

/** The application's kernel: it fills the GPU for many waves; `time` is its milliseconds on the device. */
function applicationOn({ context, driver }) {
  const stream = context.stream();
  const [start, end] = [context.event({ timed: true }), context.event({ timed: true })];
  const scratch = context.deviceMemory(1024);
  const { simulated } = driver;
  const perWave = simulated
    ? 1
    : context.device.multiprocessors * context.kernel(compute).blocksPerMultiprocessor(THREADS);
  const launchOf = (rounds, blocks) => {
    const launch = context.kernel(compute).launch(12, { grid: { x: blocks }, block: { x: THREADS } });
    launch.setWord(0, scratch.address);
    launch.parameters.setUint32(8, rounds, true);
    return launch;
  };
  const time = (launch, beside = () => undefined) => {
    start.record(stream);
    launch.run(stream);
    end.record(stream);
    beside();
    context.synchronize();
    return end.millisecondsSince(start);
  };
  /** Rounds after which a block has taken about 5 us, with the GPU full. */
  const rounds = () => {
    const launch = launchOf(1000, perWave * 20);
    time(launch);
    return Math.max(1, Math.round(5000 / ((time(launch) * 1000) / 20)));
  };
  const launch = launchOf(simulated ? 2 : rounds(), perWave * (simulated ? 2 : 4000));
  return { time: (beside) => time(launch, beside), send: () => launch.run(stream) };
}

const times = (count, sample) => Array.from({ length: count }, sample);
const elapsed = (run) => {
  const before = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - before);
};

export default routesExperiment({
  name: "routes-busy",
  question: "What do packs to the host and a kernel that fills the GPU cost each other?",
  *cells(gpu, { simulated }) {
    const size = simulated ? 2 ** 16 : 2 ** 24;
    const application = applicationOn(gpu);
    const turns = simulated ? 1 : 9;
    const aloneMs = times(turns + 1, () => application.time());
    for (const cell of cellsOn(gpu, "vector-64", vectorOf(64, 128, size)))
      yield { ...cell, application, turns, aloneMs };
  },
  contenders({ gpu, backends, ...cell }) {
    const queues = { normal: gpu.context.stream(), high: gpu.context.stream({ priority: "high" }) };
    return Object.fromEntries(
      Object.entries(queues).flatMap(([priority, queue]) =>
        WAYS.map(([name, smBudget, packed = "pinned"]) => {
          const blocks = smBudget === undefined ? "" : `, ${smBudget} blocks`;
          const given = { packed, queue, ...(smBudget === undefined ? {} : { smBudget }) };
          const entrant = backendOn({ gpu, ...cell }, backends.get(name), given);
          const where = packed === "host" ? ", pageable" : "";
          return [`${name}${blocks}${where}, ${priority} priority`, { ...entrant, facts: { route: routeOf(name) } }];
        }),
      ),
    );
  },
  /**
   * Times each entrant alone and behind the application's kernel, and that kernel beside as many packs as it is long.
   */
  run(entrants, { gpu, application, turns, aloneMs }) {
    const compute = summarise(aloneMs.map((ms) => ms * 1e6));
    const found = Object.entries(entrants).map(([name, { run, send, check }]) => {
      check();
      const alone = summarise(times(turns + 1, () => elapsed(run)));
      const packs = gpu.driver.simulated ? 1 : Math.max(1, Math.round(compute.medianNs / alone.medianNs));
      const beside = summarise(times(turns, () => 1e6 * application.time(() => times(packs, send))));
      const behind = times(turns, () => {
        application.send();
        const ns = elapsed(run);
        gpu.context.synchronize();
        return ns;
      });
      check();
      return [name, { alone, behind: summarise(behind), [`compute beside ${packs} packs`]: beside }];
    });
    return { compute: { alone: compute }, ...Object.fromEntries(found) };
  },
  rows: ({ label }, measured, entrants) =>
    Object.entries(measured).flatMap(([contender, found]) =>
      Object.entries(found).map(([what, ns]) => ({
        ...{ ...label, workload: what, count: 1, contender, route: entrants[contender]?.facts.route ?? "host" },
        ...{ ...ns, verified: true, commitNs: 0 },
      })),
    ),
  text: (rows) =>
    rowsTable(
      rows.map(({ contender, workload, medianNs }) => ({ contender, what: workload, time: formatNs(medianNs) })),
    ),
});
