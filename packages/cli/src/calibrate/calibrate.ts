import { heading, interruption, outputFile, resultsFile } from "@stowage/bench";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { ownProfilePath, profileText, thisMachine, type ProfileDocument } from "@stowage/selector";
import type { Figures } from "@stowage/backend-api";
import { commandLine } from "../command-line.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { hostCandidates } from "./candidates.js";
import { Draft } from "./draft.js";
import { gridOf, pointMeasurer, type PointRows } from "./measure-grid.js";
import { routeFigures } from "./measure-routes.js";
import { isUnderMpirun } from "../under-mpirun.js";
import { alternativesFound } from "./measure-alternatives.js";
import { noiseMeter } from "./noise-meter.js";
import { warmUpCommits } from "./warm-up.js";
import { profileOfRows } from "./profile-of.js";

interface Options {
  readonly out?: string;
  readonly points: number;
  readonly seconds?: number;
  readonly rows?: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly withholdDescription?: boolean;
  readonly json?: boolean;
}

/** Time for all of it, of a machine without a GPU and of one with it: a minute and two are promised. */
const [HOST_SECONDS, DEVICE_SECONDS] = [60, 120];
const WARM_UP_SHARE = 0.04;
/** The share of the time until when points are begun; the rest is for alternatives of x64. */
const POINTS_SHARE = 0.9;
/** Without any there is nothing to fit. */
const FEWEST_POINTS = 2;
/** Fewer points leave figures that nothing was measured of. */
const ENOUGH_POINTS = 32;
/** What was measured is kept after so many points. */
const KEPT_EVERY = 10;
/** A machine whose calls vary by more does something else besides. */
const LOADED = 0.15;

/** `stowage calibrate`. Throws one line where the profile cannot be written, before anything is measured. */
export async function calibrate(options: Options): Promise<void> {
  const { out = ownProfilePath(), device, simulated, json } = options;
  if (isUnderMpirun()) requireNoMeasuring(options);
  if (isUnderMpirun()) return (await import("./add-mpi-terms.js")).addMpiTerms(out, json === true);
  const budgetMs = 1000 * (options.seconds ?? (device === undefined ? HOST_SECONDS : DEVICE_SECONDS));
  const file = outputFile(out, "--out");
  const rowsFile = options.rows === undefined ? undefined : resultsFile(options.rows, "--rows");
  const begun = performance.now();
  using gpu = device === undefined ? undefined : new Gpu(simulated === true ? openSimulatedCuda() : openCuda());
  const machine = thisMachine(gpu?.machine);
  const draft = new Draft(`${out}.part`, outputFile(`${out}.part`, "--out"), machine);
  const grid = gridOf(options.points);
  const known = draft.read().filter(({ point }) => grid.some(({ name }) => name === point));
  const measured: PointRows[] = [...known];
  using bar = progressBar("calibrate");
  using stop = interruption("calibrate");
  if (known.length > 0) bar.line(`going on behind ${known.length} of ${grid.length} points that were measured before`);
  const measure = pointMeasurer(Math.min(2, machine.cores), gpu);
  warmUpCommits(hostCandidates(Math.min(2, machine.cores)), WARM_UP_SHARE * budgetMs);
  const noise = noiseMeter();
  const isPast = (share: number): boolean => performance.now() - begun > share * budgetMs;
  for (const point of grid) {
    if (known.some((each) => each.point === point.name)) continue;
    if (measured.length >= FEWEST_POINTS && isPast(POINTS_SHARE)) break;
    noise.look();
    measured.push(measure(point));
    bar.show(measured.length, grid.length);
    if (measured.length % KEPT_EVERY === 0) draft.keep(measured);
    if (!(await stop.seen())) continue;
    draft.keep(measured);
    stop.throwIfSeen(`${measured.length} of ${grid.length} points are kept: calibrate again to go on`);
  }
  bar.end();
  const rows = measured.flatMap((each) => each.rows);
  const routes = gpu === undefined ? undefined : routeFigures(gpu);
  const fitted = profileOfRows(rows, grid, machine, noise.relative(), routes);
  const profile = withFigures(
    fitted,
    alternativesFound(options.withholdDescription === true, () => isPast(1)),
  );
  file.write(profileText(profile));
  rowsFile?.finish(heading(commandLine(), gpu?.machine), rows);
  draft.remove();
  if (json === true) return print(profileText(profile));
  const quiet = profile.noise <= LOADED ? "quiet" : "loaded: calibrate again when less goes on";
  print(`${out}: ${rows.length} times of ${measured.length} datatypes`);
  if (measured.length < Math.min(ENOUGH_POINTS, grid.length))
    print(`expected ${ENOUGH_POINTS} datatypes or more for figures to be good: give it more --seconds`);
  print(`one and the same call varied by ${(100 * profile.noise).toFixed(0)} %: the machine was ${quiet}`);
}

/** Under mpirun terms of its MPI are added to a profile that is there: nothing else is measured. */
function requireNoMeasuring({ device, simulated, withholdDescription, rows, seconds }: Options): void {
  const asked = Object.entries({ device, simulated, withholdDescription, rows, seconds }).find(([, value]) => value);
  if (asked !== undefined) throw new Error(`--${asked[0]}: expected a run without mpirun, got one under it`);
}

/** A profile whose section of x64 has more figures. */
const withFigures = (profile: ProfileDocument, more: Figures): ProfileDocument => ({
  ...profile,
  figures: { ...profile.figures, x64: { ...profile.figures["x64"], ...more } },
});
