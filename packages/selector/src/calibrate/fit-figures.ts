import { costNs, walkOver, type Conditions, type CostModel, type FigureOf, type Figures } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { solve, type Equation } from "./least-squares.js";

/** What was measured of one call of one backend. */
export interface MeasuredCall {
  readonly layout: Layout;
  /** Elements of the layout that the call moved. */
  readonly count: number;
  readonly direction: "pack" | "unpack";
  readonly conditions: Conditions;
  /** The time of the call in nanoseconds. */
  readonly runNs: number;
  /** The time to compile and load in nanoseconds; 0 where it was not measured. */
  readonly commitNs: number;
}

/** The figures of a cost model, and those of the host's memory where they were not known before. */
export interface Fitted {
  /**
   * The model's own figures, named `mode.name`, mostly in nanoseconds a unit of work; `mode.uncertainty` is the
   * relative error that they leave, the root of its mean square.
   */
  readonly figures: Figures;
  /** What the host's memory costs, named alike; empty where it was given. */
  readonly traffic: Figures;
}

/**
 * The figures of 0 or more that explain some calls of one backend best, by least squares of the relative errors, in
 * which outliers weigh less (Huber), to three digits. `host` gives figures of the host by name. `traffic` is what the
 * host's memory costs, where that is known from another backend's calls; where it is empty it is fitted too.
 */
export function fitFigures(
  model: CostModel,
  calls: readonly MeasuredCall[],
  host: FigureOf,
  traffic: Figures = {},
): Fitted {
  const modes = new Map<string, MeasuredCall[]>();
  for (const call of calls) {
    const mode = model.mode(call.direction, call.conditions);
    modes.set(mode, [...(modes.get(mode) ?? []), call]);
  }
  const fitted = [...modes].map(([mode, same]) => fitMode(model, mode, same, host, traffic));
  return {
    figures: Object.assign({}, ...fitted.map(({ figures }) => figures)) as Figures,
    traffic: Object.assign({}, ...fitted.map((each) => each.traffic)) as Figures,
  };
}

function fitMode(
  model: CostModel,
  mode: string,
  calls: readonly MeasuredCall[],
  host: FigureOf,
  traffic: Figures,
): Fitted {
  const known = Object.keys(traffic).length > 0;
  const runs = calls.map(({ layout, count, conditions, direction, runNs }): Equation => {
    const walk = walkOver(layout, count);
    const fetched = model.traffic?.(walk, host) ?? {};
    const own = model.run(walk, conditions);
    if (!known) return { coefficients: { ...own, ...fetched }, value: runNs };
    return { coefficients: own, value: runNs, known: costNs(fetched, (name) => traffic[`${direction}.${name}`] ?? 0) };
  });
  const commits = calls
    .filter(({ commitNs }) => commitNs > 0)
    .map(({ layout, commitNs }) => ({ coefficients: model.commit(layout), value: commitNs }));
  const [run, commit] = [solve(runs), solve(commits)];
  const first = calls[0] as MeasuredCall;
  const isTraffic = new Set(Object.keys(model.traffic?.(walkOver(first.layout, first.count), host) ?? {}));
  const named = Object.entries(run.unknowns).map(
    ([name, figure]) => [`${mode}.${name}`, rounded(figure), name] as const,
  );
  const section = (ofTraffic: boolean): Figures =>
    Object.fromEntries(
      named.filter(([, , name]) => isTraffic.has(name) === ofTraffic).map(([key, value]) => [key, value]),
    );
  const commitFigures = Object.entries(commit.unknowns).map(([name, figure]) => [`${mode}.${name}`, rounded(figure)]);
  return {
    figures: {
      ...section(false),
      ...(Object.fromEntries(commitFigures) as Figures),
      [`${mode}.uncertainty`]: rounded(run.relativeError),
    },
    traffic: section(true),
  };
}

/** Three digits: the rest is noise. */
export const rounded = (figure: number): number => Number(figure.toPrecision(3));

/** What was measured of one launch by one thread, and by several. */
export interface SharedCall {
  /** The cost model's mode: figures are fitted for each. */
  readonly mode: string;
  /** The threads that share it, the caller's among them; the same in all calls of a mode. */
  readonly threads: number;
  /** The time of the call by one thread, in nanoseconds. */
  readonly aloneNs: number;
  /** The time of the call by `threads` threads, in nanoseconds. */
  readonly sharedNs: number;
  /** The time to commit for several threads over that for one. */
  readonly commitRatio: number;
}

/**
 * What sharing costs, by measured calls: `threads.MODE.share`, the nanoseconds that it takes to share a launch;
 * `threads.MODE.worth`, what each further thread does beside the first (1: as much); and `threads.commit`, the median
 * of the commit ratios. No calls, no figures.
 */
export function fitThreads(calls: readonly SharedCall[]): Figures {
  const modes = new Set(calls.map(({ mode }) => mode));
  const fitted = [...modes].map((mode) =>
    fitSharing(
      mode,
      calls.filter((call) => call.mode === mode),
    ),
  );
  const ratios = calls.map(({ commitRatio }) => commitRatio).sort((a, b) => a - b);
  const commit = ratios[Math.floor(ratios.length / 2)];
  return Object.assign(commit === undefined ? {} : { "threads.commit": rounded(commit) }, ...fitted) as Figures;
}

function fitSharing(mode: string, calls: readonly SharedCall[]): Figures {
  const [first] = calls;
  if (first === undefined) return {};
  const others = first.threads - 1;
  const { unknowns } = solve(
    calls.map(({ aloneNs, sharedNs }) => ({ coefficients: { share: 1, rest: aloneNs }, value: sharedNs })),
  );
  const worth = Math.max(0, (1 / Math.max(unknowns["rest"] ?? 1, 1e-6) - 1) / others);
  return {
    [`threads.${mode}.share`]: rounded(unknowns["share"] ?? 0),
    [`threads.${mode}.worth`]: rounded(worth),
  };
}
