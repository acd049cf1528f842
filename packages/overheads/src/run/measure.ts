import { isStandardLibrary, mpiTools, type Environment, type MpiTools } from "@stowage/mpi-abi";
import { fileURLToPath } from "node:url";
import type { Experiment, Program } from "../experiment/experiment.js";
import { EXPERIMENTS, experimentOf } from "../experiment/experiments.js";
import type { ExperimentName } from "../experiment/experiment.js";
import { loadBetween } from "../load/load.js";
import { processorTimes } from "../load/processor-times.js";
import type { MeasuredLoad } from "../results/measured-load.js";
import type { Caller, OverheadRow } from "../results/row.js";
import { compileProgram } from "./compile.js";
import { RunFolder } from "./gate-file.js";
import { launch } from "./launch.js";
import { readPoint, type Point } from "./point.js";

/** What is measured: of one MPI, on so many ranks. */
export interface Asked {
  /** The path of the MPI's library. */
  readonly library: string;
  /** The MPI's name, such as `openmpi-4.1.4`, for rows. */
  readonly name: string;
  /** How many ranks to measure on. */
  readonly ranks: number;
  /** Whether fewer samples are taken, and each program gets one minute, not five. */
  readonly quick: boolean;
  /** The experiments to run. Default: all ten. */
  readonly experiments?: readonly ExperimentName[];
  /** The callers to measure. Default: both. */
  readonly callers?: readonly Caller[];
  /** Is called with every row as soon as it is measured. */
  readonly row: (row: OverheadRow) => void;
  /** Is called with the load beside which each program ran, where the system tells. */
  readonly load?: (load: MeasuredLoad) => void;
  /** Is called with what could not be measured, and why; one line each. */
  readonly remark: (line: string) => void;
  /** Says whether the user asked to stop. */
  readonly stopped: () => Promise<boolean>;
  /** Is called with how many of how many programs have run. */
  readonly progress?: (done: number, total: number) => void;
}

/**
 * A rank that is bound to a core shares it with V8's compilers and collectors: in a thread of their own they get half
 * of it at times.
 */
const IN_ONE_THREAD = "--single-threaded";
const BRIDGE = fileURLToPath(new URL("../../dist/bridge/main.js", import.meta.url));
const LIMIT_MS = { quick: 60_000, full: 300_000 };

/**
 * Runs experiments, each in programs of its own, under the MPI's launcher. What cannot run is a remark; the others run
 * all the same.
 */
export async function measureOverheads(asked: Asked): Promise<void> {
  const tools = mpiTools(asked.library);
  const { launcher } = tools;
  if (launcher === undefined) return asked.remark(`${asked.name}: expected its mpirun or mpiexec, got none on PATH`);
  const experiments = (asked.experiments ?? EXPERIMENTS.map(({ name }) => name))
    .map(experimentOf)
    .filter(enough(asked));
  using folder = new RunFolder();
  const run = new Run(asked, tools, launcher, folder);
  const callers = asked.callers ?? ["c", "bridge"];
  const steps = [
    ...(callers.includes("c") ? run.ofC(experiments) : []),
    ...(callers.includes("bridge") && experiments.length > 0 ? [() => run.bridge(experiments)] : []),
  ];
  for (const [done, step] of steps.entries()) {
    asked.progress?.(done, steps.length);
    if (await asked.stopped()) return;
    await step();
  }
}

const enough =
  ({ ranks, remark }: Asked) =>
  ({ name, leastRanks }: Experiment): boolean => {
    if (ranks < leastRanks) remark(`${name}: expected at least ${leastRanks} ranks, got ${ranks}`);
    return ranks >= leastRanks;
  };

/** A program of the standard's ABI runs with whichever library has the name: this one is there before any is sought. */
const chosen = (library: string): Readonly<Record<string, string>> =>
  isStandardLibrary(library) ? { LD_PRELOAD: library } : {};

class Run {
  readonly #asked: Asked;
  readonly #tools: MpiTools;
  readonly #launcher: string;
  readonly #folder: RunFolder;
  readonly #compiled = new Map<string, string>();

  constructor(asked: Asked, tools: MpiTools, launcher: string, folder: RunFolder) {
    this.#asked = asked;
    this.#tools = tools;
    this.#launcher = launcher;
    this.#folder = folder;
  }

  /** Steps that run the C programs; one that says why there are none. */
  ofC(experiments: readonly Experiment[]): readonly (() => Promise<void>)[] {
    const { compiler } = this.#tools;
    if (compiler === undefined) {
      const { name, remark } = this.#asked;
      remark(`${name}: expected its mpicc, got none on PATH: the experiments in C are left out`);
      return [];
    }
    return experiments.flatMap((experiment) =>
      experiment.programs.map((program) => () => this.#program(experiment, program, compiler)),
    );
  }

  async #program(experiment: Experiment, program: Program, compiler: string): Promise<void> {
    const { ranks, bound = true, args = [], environment } = program;
    let [points, failed] = [0, ""];
    try {
      const file = this.#compile(program, compiler);
      const own = { ...chosen(this.#asked.library), ...environment?.(this.#tools.family) };
      const world = ranks ?? this.#asked.ranks;
      await this.#beside([experiment.name], "c", world, () =>
        this.#launch(world, bound, [file], args, own, (point) => {
          points++;
          this.#keep(point, experiment.name, "c");
        }),
      );
    } catch (error) {
      failed = (error as Error).message;
    }
    if (failed === "" && points === 0 && !(await this.#asked.stopped())) failed = this.#nothingFrom(program);
    if (failed !== "" && program.optional !== true) this.#asked.remark(`${experiment.name}: ${failed}`);
  }

  #nothingFrom({ name, needs }: Program): string {
    return needs === undefined ? `expected lines of ${name}, got none` : `expected ${needs}, got ${this.#asked.name}`;
  }

  #compile(program: Program, compiler: string): string {
    const known = this.#compiled.get(program.name);
    if (known !== undefined) return known;
    const file = compileProgram(compiler, program, this.#folder.path);
    this.#compiled.set(program.name, file);
    return file;
  }

  /** All in one start: Node's own takes longer than an experiment. */
  async bridge(experiments: readonly Experiment[]): Promise<void> {
    const names = experiments.map(({ name }) => name);
    const environment = { STOWAGE_MPI: this.#asked.library };
    const command = [process.execPath, IN_ONE_THREAD, BRIDGE];
    try {
      const { ranks } = this.#asked;
      await this.#beside(names, "bridge", ranks, () =>
        this.#launch(ranks, true, command, names, environment, ({ experiment, ...point }) =>
          this.#keep(point, experiment as ExperimentName, "bridge"),
        ),
      );
    } catch (error) {
      this.#asked.remark(`bridge: ${(error as Error).message}`);
    }
  }

  /** Runs a program and tells of the load meanwhile. */
  async #beside(
    experiments: readonly ExperimentName[],
    by: Caller,
    ranks: number,
    program: () => Promise<void>,
  ): Promise<void> {
    const before = processorTimes();
    try {
      await program();
    } finally {
      const load = loadBetween(before, processorTimes());
      if (load !== undefined) this.#asked.load?.({ mpi: this.#asked.name, ranks, by, experiments, ...load });
    }
  }

  async #launch(
    ranks: number,
    bound: boolean,
    command: readonly string[],
    args: readonly string[],
    environment: Environment,
    keep: (point: Point) => void,
  ): Promise<void> {
    const { quick, stopped } = this.#asked;
    await launch({
      ...{ family: this.#tools.family, launcher: this.#launcher, ranks, bound, environment, stopped },
      command: [...command, this.#folder.newGate(), quick ? "quick" : "full", ...args],
      limitMs: quick ? LIMIT_MS.quick : LIMIT_MS.full,
      line: (text) => {
        const point = readPoint(text);
        if (point !== undefined) keep(point);
      },
    });
  }

  #keep({ panel, series, x, medianNs, minNs, maxNs, samples }: Point, experiment: ExperimentName, by: Caller): void {
    const { name: mpi, ranks, row } = this.#asked;
    row({ mpi, ranks, experiment, panel, series, by, x, medianNs, minNs, maxNs, samples });
  }
}
