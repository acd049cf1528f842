import { canonicalise, printLayout, type Layout } from "@stowage/ir";

export interface Line {
  readonly text: string;
  readonly change: "none" | "new" | "gone";
}

/** The layout as a pass left it, beside what it was. */
export interface PassStep {
  readonly name: string;
  readonly lines: readonly Line[];
}

const MOST_STEPS = 60;

/** The layout as lowered, then after each pass of canonicalise that changed it. */
export function passSteps(lowered: Layout): readonly PassStep[] {
  const first = printLayout(lowered).split("\n");
  const steps: PassStep[] = [{ name: "lower", lines: first.map((text) => ({ text, change: "none" })) }];
  canonicalise(lowered, {
    onPass(name, before, after) {
      if (steps.length < MOST_STEPS)
        steps.push({ name, lines: difference(printLayout(before).split("\n"), printLayout(after).split("\n")) });
    },
  });
  return steps;
}

/** What both texts begin and end with stays; the lines between are gone, or new. */
function difference(before: readonly string[], after: readonly string[]): readonly Line[] {
  const shorter = Math.min(before.length, after.length);
  let [same, end] = [0, 0];
  while (same < shorter && before[same] === after[same]) same++;
  while (end < shorter - same && before.at(-1 - end) === after.at(-1 - end)) end++;
  const lines = (texts: readonly string[], change: Line["change"]): Line[] => texts.map((text) => ({ text, change }));
  return [
    ...lines(after.slice(0, same), "none"),
    ...lines(before.slice(same, before.length - end), "gone"),
    ...lines(after.slice(same, after.length - end), "new"),
    ...lines(after.slice(after.length - end), "none"),
  ];
}
