import { elementsOf, type Elements, type Subject } from "./workloads/subject.js";
import type { CellMode, ResultRow } from "./results/row.js";
import type { Interruption } from "./interruption.js";

/** What every bench is asked for, whoever takes part in it. */
export interface Asked {
  readonly subjects: readonly Subject[];
  /** Packed sizes to scale each to; undefined: as published. Default: as published. */
  readonly sizes?: readonly (number | undefined)[];
  /** Elements of each datatype; absent: the subject's own. */
  readonly count?: number | undefined;
  /** Time to spend on each contender of a cell, in each mode. Default: 40 ms. */
  readonly budgetMs?: number;
  /** The modes that are measured. Default: both. */
  readonly modes?: readonly CellMode[];
  /** Whether the user asked to stop; what was measured until then is kept. Default: never. */
  readonly interrupted?: Interruption;
  /** Is told all rows so far, after every subject. */
  readonly keep?: (rows: readonly ResultRow[]) => void;
  /** Is told what a person should know, one line each. */
  readonly remark?: (line: string) => void;
  /** Is told how many of how many subjects are done. */
  readonly progress?: (done: number, total: number) => void;
}

/** What a bench gave. */
export interface Benched {
  readonly rows: readonly ResultRow[];
  /** Cells without rows, for a contender moved other bytes than it must; one line each. */
  readonly differences: readonly string[];
}

/** One subject at one size, and what it is made of. */
export interface Item extends Elements {
  readonly subject: Subject;
  readonly size: number | undefined;
}

export const ask = ({ sizes = [undefined], subjects }: Asked): readonly Omit<Item, keyof Elements>[] =>
  sizes.flatMap((size) => subjects.map((subject) => ({ subject, size })));

/** Measures every subject at every size by `measure`, until the user asks to stop, and gathers what each gave. */
export async function benchEach(
  asked: Asked,
  measure: (item: Item) => AsyncIterable<Benched> | Iterable<Benched>,
): Promise<Benched> {
  const rows: ResultRow[] = [];
  const differences: string[] = [];
  const items = ask(asked);
  for (const [done, { subject, size }] of items.entries()) {
    asked.progress?.(done, items.length);
    const elements = elementsOf(subject, size);
    for await (const measured of measure({ ...elements, count: asked.count ?? elements.count, subject, size })) {
      rows.push(...measured.rows);
      differences.push(...measured.differences);
      measured.differences.forEach((line) => asked.remark?.(line));
      if (await asked.interrupted?.seen()) break;
    }
    asked.keep?.(rows);
    if (await asked.interrupted?.seen()) break;
  }
  asked.progress?.(items.length, items.length);
  return { rows, differences };
}
