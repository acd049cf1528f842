import { dirname } from "node:path";
import { interruption, outputFile, outputFolder } from "@stowage/bench";
import { Gpu } from "@stowage/bench/device";
import { openCuda, openSimulatedCuda } from "@stowage/cuda-driver";
import { ownProfilePath, profileText, thisMachine } from "@stowage/selector";
import { print } from "../print.js";
import { progressBar } from "../progress.js";
import { Draft } from "./draft.js";
import { gridOf, pointMeasurer, type PointRows } from "./measure-grid.js";
import { noiseMeter } from "./noise-meter.js";
import { profileOfRows } from "./profile-of.js";

interface Options {
  readonly out?: string;
  readonly points: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly json?: boolean;
}

/** What was measured is kept after so many points. */
const KEPT_EVERY = 10;
/** A machine whose calls vary by more does something else besides. */
const LOADED = 0.15;

/** `stowage calibrate`. Throws one line where the profile cannot be written, before anything is measured. */
export async function calibrate({ out = ownProfilePath(), points, device, simulated, json }: Options): Promise<void> {
  if (!/^[1-9]\d*$/.test(points)) throw new Error(`--points: expected a whole number above 0, got ${points}`);
  if (simulated === true && device === undefined) throw new Error("--simulated: expected --device beside it, got none");
  outputFolder(dirname(out), "--out");
  const file = outputFile(out, "--out");
  using gpu = device === undefined ? undefined : new Gpu(simulated === true ? openSimulatedCuda() : openCuda());
  const machine = thisMachine(gpu?.machine);
  const draft = new Draft(`${out}.part`, outputFile(`${out}.part`, "--out"), machine);
  const grid = gridOf(Number(points));
  const known = draft.read().filter(({ point }) => grid.some(({ name }) => name === point));
  const measured: PointRows[] = [...known];
  using bar = progressBar("calibrate");
  using stop = interruption();
  if (known.length > 0) bar.line(`going on behind ${known.length} of ${grid.length} points that were measured before`);
  const measure = pointMeasurer(Math.min(2, machine.cores), gpu);
  const noise = noiseMeter();
  for (const point of grid.slice()) {
    if (known.some((each) => each.point === point.name)) continue;
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
  const profile = profileOfRows(rows, grid, machine, noise.relative());
  file.write(profileText(profile));
  draft.remove();
  if (json === true) return print(profileText(profile));
  const quiet = profile.noise <= LOADED ? "quiet" : "loaded: calibrate again when less goes on";
  print(`${out}: ${rows.length} times of ${grid.length} datatypes`);
  print(`one and the same call varied by ${(100 * profile.noise).toFixed(0)} %: the machine was ${quiet}`);
}
