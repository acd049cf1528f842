import type { Conditions, Move } from "@stowage/backend-api";
import { explainMoves } from "./compile.js";
import type { FeatureLevel } from "./feature-level.js";
import { AssemblerSession } from "./lower/assembler-session.js";
import { tuningOf } from "./options.js";
import { unknown } from "./targets/unknown.js";

/**
 * The machine code of a move as text, for any level on any machine, a browser's page included: nothing of it is run.
 */
export const x64Listing = (move: Move, conditions: Conditions, level: FeatureLevel): string =>
  explainMoves([move], conditions, { level, tuning: tuningOf({}, unknown), session: new AssemblerSession() }, Infinity);
