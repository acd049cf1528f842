import { median } from "../model/fit.js";
import type { OverheadRow } from "../results/row.js";

const everywhere = (_x: number): boolean => true;

/** What was measured of one MPI by its C programs, as findings read it. */
export class Measured {
  readonly #rows: readonly OverheadRow[];

  constructor(rows: readonly OverheadRow[]) {
    this.#rows = rows;
  }

  /** Places of a series in the smallest world that has it, by what the axis counts. */
  series(panel: string, series: string): ReadonlyMap<number, number> {
    const own = this.#rows.filter((row) => row.panel === panel && row.series === series);
    const least = Math.min(...own.map(({ ranks }) => ranks));
    const places = own.filter(({ ranks }) => ranks === least).map(({ x, medianNs }) => [x, medianNs] as const);
    return new Map(places.sort(([a], [b]) => a - b));
  }

  /**
   * The median of the second over the first where both were measured, at places of `isAsked`; undefined where none was.
   */
  ratio(panel: string, first: string, second: string, isAsked = everywhere): number | undefined {
    return median(this.#pairs(panel, first, second, isAsked).map(([base, ns]) => ns / base));
  }

  /** The median of the second less the first, in nanoseconds. */
  difference(panel: string, first: string, second: string, isAsked = everywhere): number | undefined {
    return median(this.#pairs(panel, first, second, isAsked).map(([base, ns]) => ns - base));
  }

  #pairs(panel: string, first: string, second: string, isAsked: (x: number) => boolean): [number, number][] {
    const bases = this.series(panel, first);
    return [...this.series(panel, second)].flatMap(([x, ns]): [number, number][] => {
      const base = bases.get(x);
      return base !== undefined && isAsked(x) ? [[base, ns]] : [];
    });
  }

  /** The first and the last place of the largest world. */
  ends(panel: string, series: string): readonly [End, End] | undefined {
    const own = this.#rows.filter((row) => row.panel === panel && row.series === series);
    const most = Math.max(...own.map(({ ranks }) => ranks));
    const places = own.filter(({ ranks }) => ranks === most).sort((a, b) => a.x - b.x);
    const [first, last] = [places.at(0), places.at(-1)];
    return first === undefined || last === undefined || first === last ? undefined : [endOf(first), endOf(last)];
  }
}

interface End {
  readonly x: number;
  readonly ns: number;
}

const endOf = ({ x, medianNs }: OverheadRow): End => ({ x, ns: medianNs });
