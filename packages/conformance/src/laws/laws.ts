import { ANY_SPLIT } from "./any-split.js";
import { ARTIFACTS_SURVIVE } from "./artifacts-survive.js";
import { BAD_INPUT } from "./bad-input.js";
import { CANONICAL_FORM } from "./canonical-form.js";
import type { Law } from "./law.js";
import { ORDERED_WITHOUT_A_QUEUE } from "./ordered-without-a-queue.js";
import { PACKS_AS_THE_REFERENCE } from "./packs-as-the-reference.js";
import { PREDICTIONS } from "./predictions.js";
import { REDUCTIONS } from "./reductions.js";
import { SIDES_APART } from "./sides-apart.js";
import { TABLES } from "./tables.js";
import { SUPPORTS_IS_HONEST } from "./supports-is-honest.js";
import { UNPACK_RESTORES } from "./unpack-restores.js";

/** The laws that every backend keeps, on every datatype, buffer, count and range, by number. */
export const LAWS: readonly Law[] = Object.freeze([
  PACKS_AS_THE_REFERENCE,
  UNPACK_RESTORES,
  ANY_SPLIT,
  CANONICAL_FORM,
  SUPPORTS_IS_HONEST,
  BAD_INPUT,
  PREDICTIONS,
  ARTIFACTS_SURVIVE,
  ORDERED_WITHOUT_A_QUEUE,
  SIDES_APART,
  REDUCTIONS,
  TABLES,
]);
