import type { AnyRow, Kind, Sampling } from "@stowage/bench";
import type { OptionTable, Given } from "./options.js";

/** Something that takes part in a cell. */
export interface Entrant extends Partial<Disposable> {
  run(): unknown;
  /** Runs it on cleared memory and throws where a byte is wrong; called before it is timed, and after. */
  check?(): void;
  /** What its row says besides. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

export type Entrants = Readonly<Record<string, Entrant>>;

/** What all contenders of one turn share; its `label` is what their rows say of it, its `workload` first of all. */
export interface Cell {
  readonly label: Readonly<Record<string, unknown>> & { readonly workload: string };
}

/** What was found of each contender. */
export type Measured = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What an experiment tells its runner. */
export interface Lab {
  /** One line for a person. */
  remark(line: string): void;
  /** What the file says of its run besides its rows: a device's name into `machine`, all else into `facts`. */
  note(facts: { readonly machine?: object } & Readonly<Record<string, unknown>>): void;
  /** For trials: nothing is timed for long. */
  readonly trial: boolean;
}

/** One question and how it is answered. Each file of `experiments/` has one as its default export, under its name. */
export interface Experiment<Each extends Cell = Cell> {
  readonly name: string;
  readonly question: string;
  readonly kind: Kind;
  /** Its own; the runner has --out, --json and --trial besides. */
  readonly options?: OptionTable;
  /** How many ranks of an MPI it runs on, where it does; the first tells what it found. */
  readonly ranks?: number;
  /** What `--trial` gives it, so that it runs anywhere in seconds; a text says what it cannot be without. */
  readonly trial: Given | string;
  /** What is compared on. Devices and memory that a generator holds are let go when it ends. */
  readonly cells: (given: Given, lab: Lab) => Iterable<Each> | AsyncIterable<Each>;
  /** Who takes part in a cell. */
  readonly contenders: (cell: Each, given: Given, lab: Lab) => Entrants | Promise<Entrants>;
  /** How they are timed, where not as the harness does by itself. */
  readonly sampling?: (given: Given, cell: Each) => Partial<Sampling>;
  /** What is found of a cell, where that is not the time of a call in turns. */
  readonly run?: (entrants: Entrants, cell: Each, given: Given, lab: Lab) => Measured | Promise<Measured>;
  /** A row a contender, where a row says more or less than `label`, `facts` and what was found. */
  readonly rows?: (cell: Each, measured: Measured, entrants: Entrants) => readonly AnyRow[];
  /** What the rows say; by itself, the times of each cell and means over cells. */
  readonly text?: (rows: readonly AnyRow[]) => string;
  /** Specifications for vega-lite, by the names of their files. */
  readonly plot?: (rows: readonly AnyRow[]) => Readonly<Record<string, object>>;
}
