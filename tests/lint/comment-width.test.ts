import { Linter, type Rule } from "eslint";
import { parser } from "typescript-eslint";
import { expect, test } from "vitest";

const path = "../../scripts/lint/comment-width.mjs";
const { default: rule } = (await import(path)) as { default: Rule.RuleModule };

/** The file as the rule leaves it. */
const fixed = (code: string): string =>
  new Linter().verifyAndFix(
    code,
    [
      {
        files: ["**/*.ts"],
        languageOptions: { parser },
        plugins: { layout: { rules: { "comment-width": rule } } },
        rules: { "layout/comment-width": "error" },
      },
    ],
    "file.ts",
  ).output;

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i % 10}`).join(" ");

test("a comment of one line that is too wide becomes one of several", () => {
  expect(fixed(`  /** ${words(21)} */\n  call();\n`)).toBe(
    `  /**\n   * ${words(19)}\n   * ${words(21).slice(words(19).length + 1)}\n   */\n  call();\n`,
  );
});

test("what is cut off goes before the next line of the same paragraph, not into a tag, an item or a command", () => {
  const rest = words(21).slice(words(19).length + 1);
  expect(fixed(`// ${words(21)}\n// and on\n`)).toBe(`// ${words(19)}\n// ${rest} and on\n`);
  for (const next of ["@see this", "- an item", "node a-script.mjs", ""])
    expect(fixed(`/**\n * ${words(21)}\n * ${next}\n * on\n */\n`)).toBe(
      `/**\n * ${words(19)}\n * ${rest}\n *${next === "" ? "" : ` ${next}`}\n * on\n */\n`,
    );
});

test("what fits, what cannot be cut and code stay as they are", () => {
  const address = `https://example.org/${"a".repeat(120)}`;
  for (const code of [`// ${words(19)}\n`, `// ${address}\n`, `const text = "${words(30)}";\n`])
    expect(fixed(code)).toBe(code);
});
