// Result files of the scripts here, and ratios in one figure.
import { heading, outputFolder, scriptCommand, writeResults as write } from "@stowage/bench";
import { dirname } from "node:path";

export { meanOf as summarise } from "@stowage/bench";

/** `extra`: what else the head of the file says of the run. */
export function writeResults(file, rows, extra = {}) {
  outputFolder(dirname(file), "results");
  write(file, { ...heading(scriptCommand()), ...extra }, rows);
}

/** A row for each contender of a cell on the host, that was found to move the bytes it should. */
export const rowsOfCell = (cell, measured) =>
  Object.entries(measured).map(([contender, times]) => ({
    ...cell,
    route: "host",
    contender,
    ...times,
    verified: true,
  }));
