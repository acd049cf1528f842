import type { PackDirection } from "../cases/directed.js";
import { checkCopiesInParts } from "./copies-in-parts.js";
import { checkFragments } from "./fragments.js";
import { checkGapsOnPages } from "./gaps-on-pages.js";
import type { Law } from "./law.js";
import { checkOtherMemory } from "./other-memory.js";
import { checkSplits } from "./splits-equal-the-whole.js";

const DIRECTIONS: readonly PackDirection[] = ["pack", "unpack"];

export const ANY_SPLIT: Law = {
  number: 3,
  title: "any split into ranges, in any order, equals the whole; ranges write and read what is theirs alone",
  check: (settings) => {
    for (const direction of DIRECTIONS) {
      if (!settings.directions.includes(direction)) continue;
      checkSplits(settings, direction);
      checkFragments(settings, direction);
      checkOtherMemory(settings, direction);
    }
    if (settings.directions.includes("copy")) checkCopiesInParts(settings);
    checkGapsOnPages(settings);
  },
};
