import { elementsOf, type Elements, type Subject } from "./workloads/subject.js";
import type { CellMode, ResultRow } from "./results/row.js";
import type { Interruption } from "./interruption.js";

/** What every bench is asked for, whoever takes part in it. */
export interface Asked {
  /** What is measured, in this order. */
  readonly subjects: readonly Subject[];
  /**
   * Packed sizes in bytes; each subject is measured at each of them, scaled to about that size. undefined: as
   * published. Default: as published alone.
   */
  readonly sizes?: readonly (number | undefined)[];
  /** How many elements of each datatype a call moves. Absent: the subject's own number. */
  readonly count?: number | undefined;
  /** Milliseconds to spend on each contender of a cell, in each mode. Default: 40. */
  readonly budgetMs?: number;
  /** The modes that are measured. Default: "call" and "bound". */
  readonly modes?: readonly CellMode[];
  /** Whether the user asked to stop; what was measured until then is kept. Default: never. */
  readonly interrupted?: Interruption;
  /** Is called with all rows so far, after every subject. */
  readonly keep?: (rows: readonly ResultRow[]) => void;
  /** Is called with what a person should know, one line each. */
  readonly remark?: (line: string) => void;
  /** Is called with the number of subjects that are done, and the number of all. */
  readonly progress?: (done: number, total: number) => void;
}

/** What a bench gave. */
export interface Benched {
  /** One row a contender, cell and mode; every one was verified. */
  readonly rows: readonly ResultRow[];
  /** Cells without rows, because a contender moved other bytes than it must; one line each. */
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
