import { MODES, type CellMode } from "@stowage/bench";
import type { DeviceRoute } from "@stowage/bench/device";

/** The options of `stowage bench`, read and found to agree with each other by their rules. */
export interface TypedOptions {
  readonly backend?: string;
  readonly device?: "cuda";
  readonly route?: DeviceRoute | "all";
  readonly simulated?: boolean;
  readonly size?: readonly number[];
  readonly count?: number;
  readonly mode?: CellMode | "both";
  readonly threads?: number;
  readonly budget: number;
  readonly peers?: boolean;
  readonly commits?: boolean;
  readonly calls?: boolean;
  readonly pingpong?: boolean;
  readonly list?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** Options of `stowage bench` in the words of benches. */
export interface BenchOptions extends Omit<TypedOptions, "size" | "mode" | "budget"> {
  readonly sizes: readonly (number | undefined)[];
  readonly modes: readonly CellMode[];
  readonly budgetMs: number;
}

export const readOptions = ({ size = [], mode = "both", budget, ...others }: TypedOptions): BenchOptions => ({
  ...others,
  sizes: size.length === 0 ? [undefined] : size,
  budgetMs: budget,
  modes: mode === "both" ? MODES : [mode],
});
