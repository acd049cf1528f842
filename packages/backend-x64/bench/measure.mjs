// Interleaved timing: every contender of a cell gets its turn in each round, and the medians are compared.
const nowNs = () => Number(process.hrtime.bigint());

function timeRuns(plan, runs) {
  const start = nowNs();
  for (let i = 0; i < runs; i++) plan.run();
  return (nowNs() - start) / runs;
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** { name: { medianNs, minNs, maxNs, runs } } of contenders { name: plan }. */
export function measure(contenders, { rounds = 15, sampleNs = 150_000 } = {}) {
  const names = Object.keys(contenders);
  const runsOf = {};
  for (const name of names) {
    // The least of some: the first runs also pay for the compiler of JavaScript.
    const warm = Math.min(...Array.from({ length: 5 }, () => timeRuns(contenders[name], 3)));
    runsOf[name] = Math.max(1, Math.ceil(sampleNs / warm));
  }
  const samples = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      // Whoever came before had the caches: each is timed after a run of its own.
      contenders[name].run();
      samples[name].push(timeRuns(contenders[name], runsOf[name]));
    }
  }
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        medianNs: median(samples[name]),
        minNs: Math.min(...samples[name]),
        maxNs: Math.max(...samples[name]),
        runs: rounds * runsOf[name],
      },
    ]),
  );
}
