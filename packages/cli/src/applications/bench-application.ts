import { heading, outputFile } from "@stowage/bench";
import { openCuda, openSimulatedCuda, type Driver } from "@stowage/cuda-driver";
import { openMpi, processGrid, type Communicator, type World } from "@stowage/mpi-bridge";
import { commandLine, launcherWords } from "../command-line.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { isUnderMpirun } from "../under-mpirun.js";
import { applicationsText } from "./applications-text.js";
import { platformOf, type Platform } from "./platform.js";
import {
  APPLICATIONS_SCHEMA,
  type ApplicationName,
  type ApplicationResults,
  type ApplicationRow,
  type VectorRow,
} from "./row.js";
import { runStencil } from "./stencil-run.js";
import { runTransfer } from "./transfers.js";
import { STENCILS, type Element } from "./stencil.js";
import { runVector, type Comms } from "./vectors.js";

/** Of `stowage bench --application`, as the command line has them. */
export interface ApplicationOptions {
  readonly application: ApplicationName;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly points?: readonly number[];
  readonly element?: Element;
  readonly uneven?: boolean;
  readonly blocks?: readonly number[];
  readonly size?: readonly number[];
  readonly iterations?: number;
  readonly out?: string;
  readonly json?: boolean;
}

const COMMAND = "mpirun -n 2 npx stowage bench --application";

/** `stowage bench --application`, on each of the ranks; rank 0 tells. */
export function benchApplication(options: ApplicationOptions): void {
  const { json } = options;
  requirePartner(options);
  const driver = driverOf(options);
  const mpi = openMpi(driver === undefined ? {} : { cuda: () => driver });
  const isFirst = mpi.world.rank === 0;
  if (isTransfer(options)) requireTwo(mpi.world.size, options);
  const out = options.out === undefined || !isFirst ? undefined : outputFile(options.out, "--out");
  using comm = mpi.world.dup();
  using platform = platformOf(mpi, driver);
  // Simulated devices of two processes have no memory in common.
  using direct = mpi.world.dup(platform.kind === "device" ? { devices: "ipc" } : {});
  const head = heading(commandLine(launcherWords(mpi.mpi.family, comm.size)), platform.gpu?.machine);
  const rows: ApplicationRow[] = [];
  const results = (): ApplicationResults => ({ ...head, schema: APPLICATIONS_SCHEMA, rows });
  const text = (): string => `${JSON.stringify(results(), null, 1)}\n`;
  using bar = progressBar("bench");
  // The first row of a stencil takes half a minute: a person should know what goes on.
  const say = (line: string): void => (isFirst ? bar.line(`stowage: ${line}`) : undefined);
  for (const row of rowsOf(mpi, { comm, direct }, platform, options, say)) {
    rows.push(row);
    if (out?.replaceable === true) out.write(text());
  }
  if (!isFirst) return;
  print(json === true ? text().trimEnd() : applicationsText([results()]));
  if (out?.replaceable === false) out.write(text());
}

function driverOf({ device, simulated }: ApplicationOptions): Driver | undefined {
  if (device === undefined) return undefined;
  return simulated === true ? openSimulatedCuda() : openCuda();
}

function rowsOf(
  mpi: World,
  comms: Comms,
  platform: Platform,
  options: ApplicationOptions,
  say: (line: string) => void,
): Iterable<ApplicationRow> {
  if (options.application === "vectors") return vectorRows(mpi, comms, platform, options);
  if (options.application === "transfers") return transferRows(mpi, comms, platform, options);
  return stencilRows(mpi, comms.comm, platform, options, say);
}

/** Points that the papers have, and few where times mean nothing. */
const POINTS = { "stencil-3d": [512], "stencil-2d": [128, 256, 512, 1024, 2048] } as const;
const FEW_POINTS = { "stencil-3d": [16], "stencil-2d": [24, 64] } as const;

function* stencilRows(
  mpi: World,
  comm: Communicator,
  platform: Platform,
  options: ApplicationOptions,
  say: (line: string) => void,
): Generator<ApplicationRow> {
  const name = options.application as keyof typeof STENCILS;
  const stencil = STENCILS[name];
  const few = platform.kind === "simulated";
  const all = options.points ?? (few ? FEW_POINTS : POINTS)[name];
  const least = 3 * stencil.radius + (options.uneven === true ? UNEVEN_LOSS : 0);
  for (const points of all)
    if (points < least) throw new Error(`--points: expected ${least} or more of ${name}, got ${points}`);
  const elements: readonly Element[] =
    options.element === undefined ? (name === "stencil-2d" ? ["double", "float"] : ["float"]) : [options.element];
  const grid = processGrid(comm.size, stencil.dimensions);
  const iterations = options.iterations ?? (few ? 2 : 20);
  if (comm.size === 1) say(`${name}: one rank, which is its own neighbour: ${COMMAND} ${name} for more`);
  for (const element of elements)
    for (const points of all) {
      say(`${name}: ${points} points a rank and dimension of ${element}, ${iterations} iterations by each way`);
      yield runStencil(mpi, comm, platform, grid, {
        ...{ stencil, element, points, uneven: options.uneven === true, iterations },
      });
    }
}

/** Points that the shortest of uneven parts lacks. */
const UNEVEN_LOSS = 6;

/** Of the papers' ping-pong: Jenkins et al. 2014, figure 6. */
const BLOCKS = [8, 32, 128];
const SIZES = [10, 12, 14, 16, 18, 20, 22].map((power) => 2 ** power);
const FEW_SIZES = [2 ** 10, 2 ** 14];

function* vectorRows(
  mpi: World,
  comms: Comms,
  platform: Platform,
  options: ApplicationOptions,
): Generator<ApplicationRow> {
  const few = platform.kind === "simulated";
  const { blocks = BLOCKS, size: sizes = few ? FEW_SIZES : SIZES, iterations = few ? 2 : 30 } = options;
  for (const blockBytes of blocks)
    for (const packedBytes of sizes) {
      if (packedBytes % blockBytes !== 0 || blockBytes > MOST_BLOCK_BYTES)
        throw new Error(
          `--blocks: expected bytes that divide ${packedBytes}, ${MOST_BLOCK_BYTES} at most, got ${blockBytes}`,
        );
      yield runVector(mpi, comms, platform, { blockBytes, packedBytes, iterations });
    }
}

const MOST_BLOCK_BYTES = 256;

const isTransfer = ({ application }: ApplicationOptions): boolean =>
  application === "vectors" || application === "transfers";

/** Before an MPI starts, which by itself takes a second. */
function requirePartner(options: ApplicationOptions): void {
  if (isTransfer(options) && !isUnderMpirun()) requireTwo(1, options);
}

function requireTwo(size: number, { application }: ApplicationOptions): void {
  if (size === 2) return;
  throw new Error(`--application ${application}: expected 2 ranks (${COMMAND} ${application}), got ${size}`);
}

/** Of Pearson et al. 2021, figure 9. */
const TRANSFERS = [6, 8, 10, 12, 14, 16, 18, 20, 22].map((power) => 2 ** power);

function* transferRows(
  mpi: World,
  comms: Comms,
  platform: Platform,
  options: ApplicationOptions,
): Generator<VectorRow> {
  const few = platform.kind === "simulated";
  const { size: sizes = few ? FEW_SIZES : TRANSFERS, iterations = few ? 2 : 50 } = options;
  for (const size of sizes) yield runTransfer(mpi, comms, platform, size, iterations);
}
