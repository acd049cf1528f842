import { dameProgram } from "../language/program.js";
import { loadDame } from "./load-dame.js";

/** The program of a packed stream: one byte, as often as there are; together they are one run. */
export const PACKED = loadDame(
  dameProgram([{ kind: "EXIT" }, { kind: "CONTIGFINAL", lengthBytes: 1 }, { kind: "BOTTOM" }]),
  1,
);
