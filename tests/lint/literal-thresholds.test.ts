import { Linter, type Rule } from "eslint";
import { parser } from "typescript-eslint";
import { describe, expect, test } from "vitest";

const path = "../../scripts/lint/literal-thresholds.mjs";
const { default: rule } = (await import(path)) as { default: Rule.RuleModule };

const linter = new Linter();

/** What the rule says of a file of the lowering. */
const saidOf = (code: string): readonly string[] =>
  linter
    .verify(
      code,
      [
        {
          files: ["**/*.ts"],
          languageOptions: { parser: parser },
          plugins: { stowage: { rules: { "literal-thresholds": rule } } },
          rules: { "stowage/literal-thresholds": "error" },
        },
      ],
      "emit.ts",
    )
    .map(({ message }) => message.replace(/:.*/, ""));

describe("a threshold outside rules and targets is found", () => {
  test.each([
    ["in a comparison", "if (lengthBytes >= 1536) emit();", ["threshold 1536"]],
    ["however small", "const isShort = count < 9;", ["threshold 9"]],
    ["behind a name of the file", "const MOST = 2 ** 20;\nif (MOST < bytes) emit();", ["threshold 1048576"]],
    ["as a factor", "if (lengthBytes <= 16 * widest) emit();", ["threshold 16"]],
    ["in a minimum", "const block = Math.min(count, 64 as number);", ["threshold 64"]],
    ["in a maximum of a name", "const LEAST = 4096;\nconst block = Math.max(LEAST, count);", ["threshold 4096"]],
    ["that others may compare with", "export const BUFFER_BYTES = 16 * 1024;", ["constant BUFFER_BYTES"]],
  ])("%s", (_, code, said) => expect(saidOf(code)).toEqual(said));
});

test("what decides nothing is not", () => {
  for (const code of [
    "if (count > 1) repeat();",
    "for (let i = 0; i < moves; i++) move(i);",
    "if (lengthBytes >= plan.fromBytes) emit();",
    "const SCRATCH = 8;\nconst register = ymm(SCRATCH);",
    "import { MOST_IMMEDIATE } from './widths.js';\nif (count <= MOST_IMMEDIATE) push(count);",
    "const at = offset * 8 + 3;",
  ])
    expect(saidOf(code), code).toEqual([]);
});
