import { MODES, type CellMode } from "@stowage/bench";
import type { ApplicationName } from "../applications/row.js";
import { packedSize } from "../packed-size.js";
import { wholeNumber } from "../whole-number.js";
import type { DeviceRoute } from "@stowage/bench/device";

/** The options of `stowage bench` as the command line has them. */
export interface TypedOptions {
  readonly backend?: string;
  readonly device?: "cuda";
  readonly route?: DeviceRoute | "all";
  readonly simulated?: boolean;
  readonly size?: string;
  readonly count?: string;
  readonly mode?: CellMode | "both";
  readonly threads?: string;
  readonly budget?: string;
  readonly peers?: boolean;
  readonly commits?: boolean;
  readonly calls?: boolean;
  readonly pingpong?: boolean;
  readonly contend?: "sm" | "h2d" | "d2h";
  readonly plot?: string;
  readonly application?: ApplicationName;
  readonly points?: string;
  readonly element?: "float" | "double";
  readonly uneven?: boolean;
  readonly blocks?: string;
  readonly iterations?: string;
  readonly list?: boolean;
  readonly out?: string;
  readonly json?: boolean;
}

/** The same, read and found to agree with each other. */
export interface BenchOptions extends Omit<TypedOptions, "size" | "count" | "mode" | "threads" | "budget"> {
  readonly sizes: readonly (number | undefined)[];
  readonly count: number | undefined;
  readonly modes: readonly CellMode[];
  readonly threads: number | undefined;
  readonly budgetMs: number;
}

/** Throws one line that names the option. */
export function readOptions(typed: TypedOptions): BenchOptions {
  requireAgreement(typed);
  const { size, count, threads, budget, mode = "both", ...others } = typed;
  return {
    ...others,
    sizes: size === undefined ? [undefined] : size.split(",").map(packedSize),
    count: readCount("--count", count),
    threads: readCount("--threads", threads),
    budgetMs: readCount("--budget", budget) ?? 40,
    modes: mode === "both" ? MODES : [mode],
  };
}

function requireAgreement({ device, route, simulated, calls, threads, out, ...others }: TypedOptions): void {
  const alone = (["pingpong", "peers", "commits"] as const)
    .filter((name) => others[name] === true)
    .map((name) => `--${name}`)[0];
  if (calls === true && alone !== undefined) throw new Error(`--calls: expected a bench of our backends, got ${alone}`);
  if (device !== undefined && alone !== undefined)
    throw new Error(`${alone}: expected the host's memory, got --device`);
  if (threads !== undefined && device !== undefined)
    throw new Error("--threads: expected the host's memory, got --device");
  if (threads !== undefined && alone !== undefined)
    throw new Error(`--threads: expected a bench of our backends, got ${alone}`);
  if (device === undefined && route !== undefined)
    throw new Error(`--route: expected --device beside it, got ${route} alone`);
  if (device === undefined && simulated === true) throw new Error("--simulated: expected --device beside it, got none");
  if (simulated === true && out !== undefined)
    throw new Error("--out: expected a device that takes time, got --simulated: its times mean nothing");
}

const readCount = (option: string, text: string | undefined): number | undefined =>
  text === undefined ? undefined : wholeNumber(option, text);
