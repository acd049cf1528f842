import { costNs, walkOver, type Conditions, type CostModel, type FigureOf, type Figures } from "@stowage/backend-api";
import type { Layout } from "@stowage/ir";
import { solve, type Equation } from "./least-squares.js";

/** What was measured of one call of one backend. */
export interface MeasuredCall {
  readonly layout: Layout;
  readonly count: number;
  readonly direction: "pack" | "unpack";
  readonly conditions: Conditions;
  readonly runNs: number;
  /** 0 where it was not measured. */
  readonly commitNs: number;
}

/** The figures of a cost model, and those of the host's memory where they were not known before. */
export interface Fitted {
  readonly figures: Figures;
  readonly traffic: Figures;
}

/**
 * The figures that explain some calls best, and how far off they leave them. `traffic`: what the host's memory costs,
 * where that is known from another backend's calls.
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

/** A launch by one thread and by several; how it came to be shared. */
export interface SharedCall {
  readonly mode: string;
  readonly threads: number;
  readonly aloneNs: number;
  readonly sharedNs: number;
  /** Time to commit for several threads over that for one. */
  readonly commitRatio: number;
}

/** What it costs to share a launch, and what each further thread is worth beside the first, of each mode. */
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
