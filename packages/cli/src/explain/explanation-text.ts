import type { AccessCounters } from "@stowage/ptx";
import pc from "picocolors";
import { terminalPicture } from "../picture/terminal-picture.js";
import { formatBytes } from "@stowage/bench";
import { choiceTexts } from "./choice-texts.js";
import type { Explanation } from "./explain-datatype.js";
import { elideLists, wrapLines } from "./fit.js";

/** An explanation for a person at a terminal `width` characters wide: long lists are cut, long lines broken. */
export function explanationText(explanation: Explanation, width: number): string {
  const section = (title: string, body: string): string => {
    const indented = wrapLines(elideLists(body), width - INDENT.length).replaceAll(/^(?=.)/gm, INDENT);
    return `${pc.bold(title)}\n${indented}`;
  };
  return [
    section("datatype", datatypeText(explanation)),
    section("bounds", boundsText(explanation)),
    section("signature", `${explanation.signature.elements} elements: ${shorten(explanation.signature.text, 200)}`),
    ...explanation.passes.map(({ name, layout }) =>
      section(name === "lower" ? "layout, as lowered" : `after ${name}`, layout),
    ),
    section("strided block", stridedText(explanation)),
    section("DAME program", explanation.dame.trimEnd()),
    section("blocks", blocksText(explanation)),
    ...choiceTexts(explanation.choices).map(({ title, body }) => section(title, body)),
    ...accessTexts(explanation).map((body) => section("memory accesses of one element, on a simulated GPU", body)),
    section("where the bytes lie", terminalPicture(explanation.layout)),
  ].join("\n\n");
}

const INDENT = "  ";

const DOCUMENT_SHOWN = 400;

function datatypeText({ name, count, document }: Explanation): string {
  const elements = count === 1 ? "" : ` x ${count}`;
  return `${name}${elements}\n${shorten(elideLists(document), DOCUMENT_SHOWN)}`;
}

function boundsText({ bounds }: Explanation): string {
  return [
    `size ${formatBytes(bounds.sizeBytes)} (${bounds.sizeBytes} bytes), extent ${bounds.extentBytes}`,
    `bytes ${bounds.lowerBoundBytes} to ${bounds.lowerBoundBytes + bounds.extentBytes}`,
    `touched ${bounds.trueLowerBoundBytes} to ${bounds.trueLowerBoundBytes + bounds.trueExtentBytes}`,
  ].join("\n");
}

function stridedText({ stridedBlock }: Explanation): string {
  if (stridedBlock === null) return "not one strided object";
  const { startBytes, counts, stridesBytes } = stridedBlock;
  return `start ${startBytes}, counts [${counts.join(", ")}], strides [${stridesBytes.join(", ")}] bytes, innermost first`;
}

function blocksText({ blocks: { count, firstBlocks }, bounds }: Explanation): string {
  const mean = count === 0 ? 0 : bounds.sizeBytes / count;
  const lines = firstBlocks.map(({ offsetBytes, lengthBytes }) => `at ${offsetBytes}: ${lengthBytes} bytes`);
  const more = count > firstBlocks.length ? [`and ${count - firstBlocks.length} more`] : [];
  return [`${count} blocks of ${formatBytes(Math.round(mean))} on average`, ...lines, ...more].join("\n");
}

function accessTexts({ deviceAccesses, bounds }: Explanation): readonly string[] {
  if (deviceAccesses === undefined) return [];
  const body = deviceAccesses.ok
    ? deviceAccesses.runs.map(({ backend, direction, loads, stores }) =>
        [
          `${backend}, ${direction}`,
          `  loads: ${accessText(loads, bounds.sizeBytes)}`,
          `  stores: ${accessText(stores, bounds.sizeBytes)}`,
        ].join("\n"),
      )
    : [deviceAccesses.reason];
  return [body.join("\n") || "no kernel: no bytes move"];
}

/**
 * A warp's access moves whole sectors of 32 bytes, whatever its threads asked for. CUDA C++ best practices guide,
 * coalesced access.
 */
function accessText({ requests, sectors, lines }: AccessCounters, dataBytes: number): string {
  const share = sectors === 0 ? 100 : Math.round((100 * dataBytes) / (sectors * SECTOR_BYTES));
  return `warp accesses ${requests}, sectors ${sectors}, cache lines ${lines}; ${share} % of the sectors' bytes is the data`;
}

const SECTOR_BYTES = 32;
const shorten = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
