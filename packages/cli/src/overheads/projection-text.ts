import { formatNs } from "@stowage/bench";
import {
  CAUSES,
  JUDGED_RANKS,
  median,
  type HaloTimes,
  type OverheadResults,
  type Projected,
  type Projection,
} from "@stowage/overheads";
import { align } from "../tables/align.js";

const WITHIN = 0.25;

/** Models, how well they hold, and where the time of simulated exchanges goes. */
export function projectionText(projected: readonly Projected[], { machine, rows }: OverheadResults): string {
  const most = Math.max(...rows.map(({ ranks }) => ranks));
  // Ranks that share a core wait for each other's time slices, and not for the MPI.
  const note = `${most} ranks shared ${machine.cores} cores: times between processes count turns of the scheduler as well`;
  const texts = projected.flatMap((one) => [modelsText(one), termsText(one), halosText(one)]);
  return [...texts, ...(most > machine.cores ? [note] : [])].join("\n\n");
}

function modelsText({ mpi, models }: Projected): string {
  const worlds = [...new Set(models.flatMap(({ fittedRanks }) => fittedRanks))].sort((a, b) => a - b);
  const most = models[0]?.predicted.at(-1)?.ranks ?? 0;
  const lines = models.map(modelLine);
  const head = ["overhead", "model", `${JUDGED_RANKS} ranks: median error`, "worst", `at ${most} ranks`];
  const judged = (["c", "bridge"] as const).flatMap((by) => heldText(models, by));
  const said =
    judged.length === 0 ? `no world of ${JUDGED_RANKS} ranks was measured: nothing is judged` : judged.join("; ");
  return `${mpi}: models fitted in worlds of ${worlds.join(", ")} ranks\n${align([head, ...lines])}\n${said}`;
}

const CALLERS = { c: "from C", bridge: "through the bridge" };

function heldText(models: readonly Projection[], by: keyof typeof CALLERS): readonly string[] {
  const judged = models.filter((model) => model.by === by && model.errors.length > 0);
  const held = judged.filter(({ errors }) => (median(errors) ?? 0) <= WITHIN).length;
  const where = `${CALLERS[by]} hold within 25 % at ${JUDGED_RANKS} ranks`;
  return judged.length === 0 ? [] : [`${held} of ${judged.length} models ${where}`];
}

function modelLine({ experiment, panel, series, says, line, errors, predicted }: Projection): readonly string[] {
  const formula = line === undefined ? says : `${formatNs(line.base)} + ${formatNs(line.slope)} x`;
  const worst = errors.length === 0 ? undefined : Math.max(...errors);
  const ns = predicted.at(-1)?.ns;
  return [
    `${experiment}, ${panel}: ${series}`,
    formula,
    percent(median(errors)),
    percent(worst),
    ns === undefined ? "-" : formatNs(ns),
  ];
}

const percent = (share: number | undefined): string => (share === undefined ? "-" : `${(100 * share).toFixed(0)} %`);

function termsText({ mpi, terms }: Projected): string {
  const lines = Object.entries(terms).map(([name, ns]) => [name, (ns as number).toPrecision(3)]);
  return `${mpi}: terms of a halo exchange, nanoseconds\n${align([["term", "ns"], ...lines])}`;
}

function halosText({ mpi, halos }: Projected): string {
  const lines = halos.map(haloLine);
  const head = ["ranks", "by", "block", "exchange", ...CAUSES, "largest overhead"];
  return `${mpi}: a simulated halo exchange in three dimensions; shares of a mean rank's time\n${align([head, ...lines])}`;
}

function haloLine(halo: HaloTimes): readonly string[] {
  const { ranks, mode, block, exchangeNs, causes } = halo;
  const shares = CAUSES.map((cause) => percent(causes[cause] / exchangeNs));
  return [String(ranks), mode, block.join("x"), formatNs(exchangeNs), ...shares, largestOverhead(halo)];
}

/** What takes most, besides waiting for others and for the wire. */
function largestOverhead({ causes }: HaloTimes): string {
  const overheads = CAUSES.filter((cause) => cause !== "waiting");
  return overheads.reduce((most, cause) => (causes[cause] > causes[most] ? cause : most));
}
