import type { Course } from "@stowage/engine";
import type { Taker } from "./taker.js";
import { tierData, tiersOf, type Predicted } from "./tiers.js";

/** Counts that differ by less are not told apart: predictions are not that good. */
const NEAREST = 1.25;
/** Calls of more packed bytes are like those of as many. */
const MOST_BYTES = 2 ** 32;

/** Who moves calls of which counts: where the answer changes is looked for between one element and very many. */
export function coursesOf(
  takers: readonly Taker[],
  count: number | "any",
  sizeBytes: number,
  reuse: number | undefined,
): readonly Course[] {
  const at = (from: number): Answer => answerAt(takers, from, reuse);
  if (count !== "any") return Object.freeze([courseOf(at(count), 0, count)]);
  const last = Math.max(1, Math.floor(MOST_BYTES / Math.max(1, sizeBytes)));
  const answers = [at(1)];
  if (last > 1) changes(answers, answers[0] as Answer, at(last), at);
  return Object.freeze(
    answers.map((answer, i) => courseOf(answer, i === 0 ? 0 : answer.count, answers[i + 1]?.count ?? last)),
  );
}

/** Who would move calls of so many elements, one after another; the names as one text. */
interface Answer {
  readonly count: number;
  readonly tiers: readonly Predicted[];
  readonly names: string;
}

function answerAt(takers: readonly Taker[], count: number, reuse: number | undefined): Answer {
  const tiers = tiersOf(
    takers.map((taker) => ({ taker, prediction: taker.predict(count) })),
    reuse,
  );
  return { count, tiers, names: tiers.map(({ taker }) => taker.backend.name).join() };
}

/** Adds the answers that differ from those before them, by halving where two are unlike. */
function changes(answers: Answer[], low: Answer, high: Answer, at: (count: number) => Answer): void {
  if (low.names === high.names) return;
  if (high.count <= low.count * NEAREST || high.count - low.count <= 1) {
    answers.push(high);
    return;
  }
  const middle = at(Math.round(Math.sqrt(low.count * high.count)));
  changes(answers, low, middle, at);
  changes(answers, middle, high, at);
}

const courseOf = ({ tiers, count }: Answer, fromCount: number, next: number): Course =>
  Object.freeze({ fromCount, tiers: Object.freeze(tierData(tiers, count, Math.max(count, next))) });
