import { SingleBar } from "cli-progress";

/** Below this, the work is over before a person has read the bar. */
const WORTH_A_BAR = 20;

/** Does `work` on every item, behind a progress bar on standard error where that is a terminal. */
export function withProgress<Item, Result>(
  label: string,
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Result[] {
  const bar = progressBar(label, items.length);
  try {
    return items.map((item, index) => {
      const result = work(item, index);
      bar?.increment();
      return result;
    });
  } finally {
    bar?.stop();
  }
}

/** A bar over `total` steps; absent where nobody would see it. */
export function progressBar(label: string, total: number): SingleBar | undefined {
  if (!process.stderr.isTTY || total < WORTH_A_BAR) return undefined;
  const bar = new SingleBar({ format: `${label} {bar} {value}/{total} {eta_formatted}`, clearOnComplete: true });
  bar.start(total, 0);
  return bar;
}
