/** Points whose sum has one weight, by their steps from the point that is computed. */
export interface Term {
  readonly weight: number;
  readonly steps: readonly (readonly number[])[];
}

/** What a point becomes: the sum of its terms, in their order. */
export interface Stencil {
  readonly name: "stencil-2d" | "stencil-3d";
  readonly radius: number;
  readonly dimensions: 2 | 3;
  /** Whether each dimension is closed to a ring. */
  readonly periodic: boolean;
  readonly terms: readonly Term[];
}

const around = (dimensions: number, radius: number): readonly (readonly number[])[] =>
  Array.from({ length: 3 ** dimensions }, (_, i) =>
    Array.from({ length: dimensions }, (__, k) => ((Math.floor(i / 3 ** (dimensions - 1 - k)) % 3) - 1) * radius),
  );
const isAlong = (axes: number) => (steps: readonly number[]) => steps.filter((step) => step !== 0).length === axes;

/**
 * Pearson et al. 2021, section 6.4: 26 neighbours, radius 2, rings. All ghosts count: the points stand at that
 * distance.
 */
const STENCIL_3D: Stencil = {
  ...{ name: "stencil-3d", radius: 2, dimensions: 3, periodic: true },
  terms: [{ weight: 1 / 26, steps: around(3, 2).filter((steps) => !isAlong(0)(steps)) }],
};

/** SHOC's Stencil2D with its weights (Jenkins et al. 2014, section 5.1); what lies outside stays as it is. */
const STENCIL_2D: Stencil = {
  ...{ name: "stencil-2d", radius: 1, dimensions: 2, periodic: false },
  terms: [
    { weight: 0.25, steps: around(2, 1).filter(isAlong(0)) },
    { weight: 0.15, steps: around(2, 1).filter(isAlong(1)) },
    { weight: 0.05, steps: around(2, 1).filter(isAlong(2)) },
  ],
};

export const STENCILS = { "stencil-2d": STENCIL_2D, "stencil-3d": STENCIL_3D } as const;

/**
 * Additions and multiplications a point; a term has as many as points. 11 of the nine-point stencil, as SHOC counts.
 */
export const flopsOf = ({ terms }: Stencil): number =>
  terms.reduce((sum, { steps }) => sum + steps.length, 0) + terms.length - 1;

export type Element = "float" | "double";
export type Values = Float32Array | Float64Array;
export const ELEMENT_BYTES = { float: 4, double: 8 } as const;
export const valuesOf = (element: Element, length: number): Values =>
  element === "float" ? new Float32Array(length) : new Float64Array(length);

/** A box of points in an array: from each of `low` to below each of `high`. */
export interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** From one point to another, in points. */
export function linear(steps: readonly number[], sizes: readonly number[]): number {
  return steps.reduce((at, step, k) => at * (sizes[k] as number) + step, 0);
}
