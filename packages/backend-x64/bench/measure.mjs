// Contenders by name, timed interleaved.
import { sampleInTurns, summarise } from "@stowage/bench";

export const median = (values) => summarise(values).medianNs;

/** { name: { medianNs, minNs, maxNs, runs } } of contenders { name: plan }. */
export function measure(contenders, { rounds = 15, sampleNs = 150_000 } = {}) {
  const names = Object.keys(contenders);
  const calls = names.map((name) => () => contenders[name].run());
  const times = sampleInTurns(calls, { budgetMs: 0, rounds, sampleUs: sampleNs / 1e3, warmUpMs: 2 });
  return Object.fromEntries(names.map((name, i) => [name, times[i]]));
}
