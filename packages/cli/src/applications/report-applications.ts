import { formatBytes, formatNs, outputFile } from "@stowage/bench";
import { parseProfile, profileOf } from "@stowage/selector";
import { join } from "node:path";
import { print, printJson } from "../print.js";
import { readText } from "../read-text.js";
import { markdownTable } from "../report/markdown-table.js";
import type { Drawn } from "./application-plots.js";
import { applicationsText } from "./applications-text.js";
import { isProfile } from "./file-kind.js";
import { operationPoints, packPoints, partialPoints, type LatencyPoint, type PackPoint } from "./latency.js";
import { parseApplications } from "./schema.js";

/** `stowage report` of applications and of a profile: TEMPI's figures 9 to 12, TPDS table 3 and figure 6. */
export async function reportApplications(
  files: readonly string[],
  { plots, json }: { readonly plots?: string; readonly json?: boolean },
): Promise<void> {
  const profiles = files.filter(isProfile);
  if (profiles.length > 1) throw new Error(`FILES: expected one profile, got ${profiles.join(" ")}`);
  const runs = files.filter((path) => !profiles.includes(path)).map((path) => parseApplications(readText(path), path));
  const [profile] = profiles.map((path) => profileOf(parseProfile(readText(path), path)));
  const rows = runs.flatMap((run) => run.rows);
  const operations = operationPoints(rows);
  const drawn = {
    ...{ rows, operations, partial: partialPoints(operations) },
    packs: profile === undefined ? [] : packPoints(profile),
  };
  if (plots !== undefined) await draw(plots, drawn);
  if (json === true) return printJson(drawn);
  const texts = [
    pointsText("Four operations (TEMPI, figure 9a)", drawn.operations),
    pointsText("Equations 1 to 3 without packing (TEMPI, figure 9b)", drawn.partial),
    packText(drawn.packs),
    applicationsText(runs),
  ];
  print(texts.filter((text) => text !== "").join("\n\n"));
}

async function draw(folder: string, drawn: Drawn) {
  const { applicationPlots } = await import("./application-plots.js");
  const { renderSvg } = await import("../report/render-svg.js");
  for (const { name, specification } of applicationPlots(drawn))
    outputFile(join(folder, `${name}.svg`), "--plots").write(await renderSvg(specification));
}

function pointsText(title: string, points: readonly LatencyPoint[]): string {
  if (points.length === 0) return "";
  const series = [...new Set(points.map((point) => point.series))];
  const sizes = [...new Set(points.map(({ bytes }) => bytes))];
  const lines = sizes.map((bytes) => [
    formatBytes(bytes),
    ...series.map((name) => {
      const point = points.find((each) => each.series === name && each.bytes === bytes);
      return point === undefined ? "-" : formatNs(point.ns);
    }),
  ]);
  return `${title}\n\n${markdownTable(["bytes", ...series], lines)}`;
}

function packText(points: readonly PackPoint[]): string {
  if (points.length === 0) return "";
  const series = [...new Set(points.map((point) => point.series))];
  const cells = [...new Set(points.map(({ bytes, blockBytes }) => `${bytes} ${blockBytes}`))];
  const lines = cells.map((cell) => {
    const own = points.filter(({ bytes, blockBytes }) => `${bytes} ${blockBytes}` === cell);
    const [bytes = 0, block = 0] = cell.split(" ").map(Number);
    const times = series.map((name) => formatNs(own.find((point) => point.series === name)?.ns ?? 0));
    return [formatBytes(bytes), `${block} B`, ...times];
  });
  const head = ["object", "blocks", ...series];
  return `Packing by the profile (TEMPI, figure 10)\n\n${markdownTable(head, lines)}`;
}
