import type { DrawnAccess } from "../src/gpu/warp-accesses.js";
import { orderColour } from "./colours.js";

const [WIDTH, TOP, BOX, DROP] = [960, 20, 24, 90];
const LANES = 32;
const MOST_SECTORS = 64;

/** Which lanes of a warp touch which sectors: lanes above, sectors below, four of a cache line side by side. */
export function warpPicture({ lanes, sectors, laneBytes }: DrawnAccess): SVGElement {
  const shown = withinLines(sectors).slice(0, MOST_SECTORS);
  const perRow = Math.min(32, shown.length);
  const rows = Math.ceil(shown.length / Math.max(1, perRow));
  const height = TOP + BOX + DROP + rows * (BOX + 22);
  const svg = node("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`,
    class: "plot",
    role: "img",
    "aria-label": "Lanes and sectors",
  });
  const laneX = (lane: number): number => 8 + lane * ((WIDTH - 16) / LANES);
  const sectorX = (i: number): number => 8 + (i % perRow) * ((WIDTH - 16) / perRow) + Math.floor((i % perRow) / 4) * 2;
  const sectorY = (i: number): number => TOP + BOX + DROP + Math.floor(i / perRow) * (BOX + 22);
  const width = Math.max(6, Math.min(60, (WIDTH - 16) / perRow - 6));
  shown.forEach((sector, i) => {
    const isTouched = sectors.includes(sector);
    svg.append(
      node("rect", {
        x: sectorX(i),
        y: sectorY(i),
        width,
        height: BOX,
        rx: 3,
        class: isTouched ? "sector" : "sector idle",
      }),
    );
    if (i % 4 === 0) svg.append(text(`line ${Math.floor(sector / 4)}`, sectorX(i), sectorY(i) + BOX + 14));
  });
  for (const { lane, offsetBytes } of lanes) {
    const colour = `rgb(${orderColour(lane / (LANES - 1)).join(" ")})`;
    const i = shown.indexOf(Math.floor(offsetBytes / 32));
    svg.append(node("rect", { x: laneX(lane), y: TOP, width: BOX - 2, height: BOX - 2, rx: 3, fill: colour }));
    if (i < 0) continue;
    const within = ((offsetBytes % 32) + laneBytes / 2) / 32;
    const [x1, x2] = [laneX(lane) + BOX / 2 - 1, sectorX(i) + within * width];
    svg.append(node("line", { x1, x2, y1: TOP + BOX, y2: sectorY(i), stroke: colour, "stroke-width": 1.4 }));
    const piece = Math.max(2, (laneBytes / 32) * width);
    svg.append(node("rect", { x: x2 - piece / 2, y: sectorY(i) + 4, width: piece, height: BOX - 8, fill: colour }));
  }
  svg.append(text("lanes 0 to 31", 8, 12));
  return svg;
}

/** All sectors of each cache line that is touched. */
const withinLines = (sectors: readonly number[]): readonly number[] =>
  [...new Set(sectors.map((sector) => Math.floor(sector / 4)))].flatMap((line) =>
    [0, 1, 2, 3].map((i) => line * 4 + i),
  );

function text(content: string, x: number, y: number): SVGElement {
  const made = node("text", { x, y });
  made.textContent = content;
  return made;
}

function node(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
