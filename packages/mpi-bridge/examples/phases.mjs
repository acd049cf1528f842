// Where an application's time goes.
export class Phases {
  times = new Map();

  /** Runs a phase and adds its time. */
  time(name, work) {
    const start = performance.now();
    const result = work();
    this.times.set(name, (this.times.get(name) ?? 0) + performance.now() - start);
    return result;
  }

  /** Milliseconds an iteration, the greatest of all ranks in each phase; and all together, with waiting and without. */
  summary(world, iterations) {
    const names = [...this.times.keys()];
    const most = new Float64Array(names.length);
    world.allreduce(
      Float64Array.from(names, (name) => this.times.get(name) / iterations),
      most,
      { op: "max" },
    );
    const phases = Object.fromEntries(names.map((name, i) => [name, most[i]]));
    const overall = [...this.times.values()].reduce((sum, ms) => sum + ms, 0) / iterations;
    const own = Float64Array.of(overall, overall - (this.times.get("wait") ?? 0) / iterations);
    const total = new Float64Array(2);
    world.allreduce(own, total, { op: "max" });
    return { phases, overallMs: total[0], nonWaitMs: total[1] };
  }
}

/** Options of a command line: --name number, --check. */
export function options(defaults) {
  const given = { ...defaults };
  const words = process.argv.slice(2);
  for (let i = 0; i < words.length; i++) {
    const name = words[i].replace(/^--/, "");
    if (!(name in defaults))
      throw new Error(`options: expected --${Object.keys(defaults).join(", --")}, got ${words[i]}`);
    given[name] = typeof defaults[name] === "boolean" ? true : Number(words[++i]);
  }
  return given;
}

/** Rank 0 prints what was measured, as JSON or as a table. */
export function tell(world, title, summaries, json) {
  if (world.rank !== 0) return;
  if (json) return console.log(JSON.stringify({ title, ...summaries }));
  console.log(title);
  for (const [name, { phases, overallMs, nonWaitMs }] of Object.entries(summaries)) {
    const parts = Object.entries(phases).map(([phase, ms]) => `${phase} ${ms.toFixed(3)}`);
    console.log(
      `${name}: ${overallMs.toFixed(3)} ms an iteration, ${nonWaitMs.toFixed(3)} without waiting; ${parts.join(", ")}`,
    );
  }
}
