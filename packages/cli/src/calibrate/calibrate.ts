import { dirname } from "node:path";
import { heading, interruption, outputFile, outputFolder, resultsFile } from "@stowage/bench";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { ownProfilePath, profileText, thisMachine, type ProfileDocument } from "@stowage/selector";
import type { Figures } from "@stowage/backend-api";
import { commandLine } from "../command-line.js";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { wholeNumber } from "../whole-number.js";
import { hostCandidates } from "./candidates.js";
import { Draft } from "./draft.js";
import { gridOf, pointMeasurer, type PointRows } from "./measure-grid.js";
import { routeFigures } from "./measure-routes.js";
import { isUnderMpirun } from "./under-mpirun.js";
import { alternativesFound } from "./measure-alternatives.js";
import { noiseMeter } from "./noise-meter.js";
import { warmUpCommits } from "./warm-up.js";
import { profileOfRows } from "./profile-of.js";

interface Options {
  readonly out?: string;
  readonly points: string;
  readonly seconds?: string;
  readonly rows?: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly withholdDescription?: boolean;
  readonly json?: boolean;
}

/** Time for the points, of a machine without a GPU and of one with it; a minute and two are promised. */
const [HOST_SECONDS, DEVICE_SECONDS] = [54, 108];
const WARM_UP_SHARE = 0.04;
/** Fewer points leave figures that nothing was measured of. */
const LEAST_POINTS = 32;
/** What was measured is kept after so many points. */
const KEPT_EVERY = 10;
/** A machine whose calls vary by more does something else besides. */
const LOADED = 0.15;

/** `stowage calibrate`. Throws one line where the profile cannot be written, before anything is measured. */
export async function calibrate(options: Options): Promise<void> {
  const { out = ownProfilePath(), device, simulated, json } = options;
  if (isUnderMpirun()) return (await import("./add-mpi-terms.js")).addMpiTerms(out, json === true);
  const points = wholeNumber("--points", options.points);
  const seconds = device === undefined ? HOST_SECONDS : DEVICE_SECONDS;
  const budgetMs = 1000 * (options.seconds === undefined ? seconds : wholeNumber("--seconds", options.seconds));
  if (simulated === true && device === undefined) throw new Error("--simulated: expected --device beside it, got none");
  outputFolder(dirname(out), "--out");
  const file = outputFile(out, "--out");
  const rowsFile = options.rows === undefined ? undefined : resultsFile(options.rows, "--rows");
  const begun = performance.now();
  using gpu = device === undefined ? undefined : new Gpu(simulated === true ? openSimulatedCuda() : openCuda());
  const machine = thisMachine(gpu?.machine);
  const draft = new Draft(`${out}.part`, outputFile(`${out}.part`, "--out"), machine);
  const grid = gridOf(points);
  const known = draft.read().filter(({ point }) => grid.some(({ name }) => name === point));
  const measured: PointRows[] = [...known];
  using bar = progressBar("calibrate");
  using stop = interruption("calibrate");
  if (known.length > 0) bar.line(`going on behind ${known.length} of ${grid.length} points that were measured before`);
  const measure = pointMeasurer(Math.min(2, machine.cores), gpu);
  warmUpCommits(hostCandidates(Math.min(2, machine.cores)), WARM_UP_SHARE * budgetMs);
  const noise = noiseMeter();
  const isOver = (): boolean => measured.length >= LEAST_POINTS && performance.now() - begun > budgetMs;
  for (const point of grid) {
    if (known.some((each) => each.point === point.name)) continue;
    if (isOver()) break;
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
  const profile = withFigures(fitted, alternativesFound(options.withholdDescription === true));
  file.write(profileText(profile));
  rowsFile?.finish(heading(commandLine(), gpu?.machine), rows);
  draft.remove();
  if (json === true) return print(profileText(profile));
  const quiet = profile.noise <= LOADED ? "quiet" : "loaded: calibrate again when less goes on";
  print(`${out}: ${rows.length} times of ${measured.length} datatypes`);
  print(`one and the same call varied by ${(100 * profile.noise).toFixed(0)} %: the machine was ${quiet}`);
}

/** A profile whose section of x64 has more figures. */
const withFigures = (profile: ProfileDocument, more: Figures): ProfileDocument => ({
  ...profile,
  figures: { ...profile.figures, x64: { ...profile.figures["x64"], ...more } },
});
