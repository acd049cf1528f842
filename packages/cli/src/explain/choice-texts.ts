import { grouped } from "@stowage/bench";
import type { MemoryChoice } from "./memory-choice.js";

interface ChoiceText {
  readonly title: string;
  readonly body: string;
}

/** Kinds of memory with the same verdicts are one text, and backends with the same verdict one line of it. */
export function choiceTexts(choices: readonly MemoryChoice[]): readonly ChoiceText[] {
  const texts = grouped(choices, ({ backends }) => bodyOf(backends));
  return [...texts.entries()].map(([body, same]) => ({
    title: `backends, ${same.map(({ memory }) => memory).join("; ")}`,
    body,
  }));
}

const bodyOf = (backends: MemoryChoice["backends"]): string =>
  [...grouped(backends, ({ verdict }) => verdict).entries()]
    .map(([verdict, same]) => `${same.map(({ name }) => name).join(", ")}: ${verdict}`)
    .join("\n");
