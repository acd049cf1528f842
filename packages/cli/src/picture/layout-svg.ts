import { stridedBlock, type Layout } from "@stowage/ir";
import { formatBytes } from "@stowage/bench";
import { grid, type Grid } from "./grid.js";

const CELL = 10;
const LEFT = 72;
const TOP = 110;
const LEGEND = 44;
const MARGIN = 16;
/** Room for the legend; a phone scales a picture no wider than this to a text that can still be read. */
const LEAST_WIDTH = 440;

/**
 * Draws where the bytes of `count` elements lie: rows of cells, darker the more of a cell's bytes move. Returns the
 * text of an SVG picture; `name` is its title.
 */
export function layoutSvg(name: string, layout: Layout, count: number): string {
  const cells = grid(layout, count);
  const width = Math.max(LEAST_WIDTH, LEFT + cells.columns * CELL + MARGIN);
  const height = TOP + cells.rows * CELL + LEGEND;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    ` font-family="sans-serif" font-size="12" fill="#1b2a38">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...heading(name, layout, count, cells),
    ...rowLabels(cells),
    ...cellRects(cells),
    ...blockNumbers(cells),
    legend(cells),
    "</svg>\n",
  ].join("");
}

function heading(name: string, layout: Layout, count: number, { bytesPerCell, pitchBytes }: Grid): readonly string[] {
  const blockCount = count * layout.root.blockCount;
  const elements = count === 1 ? "" : `${count} elements, `;
  const blocks = `${elements}${blockCount} blocks, ${formatBytes(count * layout.sizeBytes)} packed`;
  const bounds = `extent ${layout.extentBytes} B, true extent ${layout.trueExtentBytes} B`;
  return [
    text(MARGIN, 24, escape(name), 'font-size="16" font-weight="bold"'),
    text(MARGIN, 44, blocks),
    text(MARGIN, 61, bounds),
    text(MARGIN, 78, strides(layout)),
    text(LEFT, TOP - 8, `${formatBytes(pitchBytes)} a row, ${formatBytes(bytesPerCell)} a cell`, 'fill="#5c6b78"'),
  ];
}

function strides(layout: Layout): string {
  const block = stridedBlock(layout);
  if (block === undefined) return "irregular: no single set of strides";
  const [runBytes = 0, ...counts] = block.counts;
  const outer = counts.map((count, i) => `${count} x stride ${block.stridesBytes[i + 1] ?? 0} B`);
  return [`runs of ${formatBytes(runBytes)}`, ...outer].join(", ");
}

/** The address at which every fourth row begins. */
function rowLabels({ rows, pitchBytes, lowBytes }: Grid): readonly string[] {
  const labels: string[] = [];
  for (let row = 0; row < rows; row += 4) {
    const address = lowBytes + row * pitchBytes;
    labels.push(text(LEFT - 8, TOP + row * CELL + 9, String(address), 'text-anchor="end" fill="#5c6b78"'));
  }
  return labels;
}

function cellRects({ filled, columns }: Grid): readonly string[] {
  return [...filled].map((share, i) => {
    const { x, y } = corner(i, columns);
    return `<rect x="${x}" y="${y}" width="${CELL - 1}" height="${CELL - 1}" fill="${colour(share)}"/>`;
  });
}

/** Blocks in packed order, where they are few enough to read: 0 is the first byte of the packed stream. */
function blockNumbers({ blockStarts, columns }: Grid): readonly string[] {
  return blockStarts.map((cell, block) => {
    const { x, y } = corner(cell, columns);
    return text(x + (CELL - 1) / 2, y + 8, String(block), 'text-anchor="middle" font-size="7" fill="#ffffff"');
  });
}

const corner = (cell: number, columns: number): { x: number; y: number } => ({
  x: LEFT + (cell % columns) * CELL,
  y: TOP + Math.floor(cell / columns) * CELL,
});

const UNTOUCHED = "#e9edf1";

/** Untouched cells pale grey; touched ones from light to dark blue by the share of their bytes that moves. */
function colour(share: number): string {
  if (share === 0) return UNTOUCHED;
  const mix = (light: number, dark: number): number => Math.round(light + (dark - light) * share);
  return `rgb(${mix(150, 12)},${mix(190, 74)},${mix(225, 134)})`;
}

function legend({ rows }: Grid): string {
  const y = TOP + rows * CELL + 16;
  const swatch = (x: number, fill: string, label: string): string =>
    `<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="${fill}"/>${text(x + 16, y + 9, label)}`;
  return [
    swatch(MARGIN, UNTOUCHED, "untouched"),
    swatch(MARGIN + 110, colour(0.05), "some bytes move"),
    swatch(MARGIN + 260, colour(1), "every byte moves"),
  ].join("");
}

const text = (x: number, y: number, content: string, attributes = ""): string =>
  `<text x="${x}" y="${y}" ${attributes}>${content}</text>`;

const escape = (content: string): string =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
