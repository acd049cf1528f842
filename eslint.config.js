import nx from "@nx/eslint-plugin";
import tseslint from "typescript-eslint";
import { depConstraints } from "./scripts/lint/direction.mjs";
import commentWidth from "./scripts/lint/comment-width.mjs";
import literalThresholds from "./scripts/lint/literal-thresholds.mjs";

/** A file holds one concept, whole, whatever its length: a longer one is looked at again. */
const MANY_LINES = 500;

export default tseslint.config(
  { ignores: ["**/dist/", "**/*.d.ts", "tmp/", ".nx/", "outside/project/", "outside/previous/"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.lint.json", "./packages/explorer/page/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", ignoreRestSiblings: true, ignoreUsingDeclarations: true },
      ],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ["**/*.{ts,js,mjs}"],
    plugins: { layout: { rules: { "comment-width": commentWidth } } },
    rules: { "max-lines": ["warn", MANY_LINES], "layout/comment-width": "error" },
  },
  {
    // Choice apart from doing: of what decides about code, rules and targets hold all thresholds.
    files: [
      "packages/backend-x64/src/{loops,lower,relayout,reduce,threads,memory}/**/*.ts",
      "packages/backend-x64/src/{compile,cost-model}.ts",
    ],
    ignores: ["packages/backend-x64/src/*/rules/**", "packages/backend-x64/src/loops/cache.ts"],
    plugins: { stowage: { rules: { "literal-thresholds": literalThresholds } } },
    rules: { "stowage/literal-thresholds": "error" },
  },
  {
    files: ["packages/backend-x64/src/{loops,targets}/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["**/lower/*"], message: "A plan knows nothing of what is written by it." }] },
      ],
    },
  },
  {
    files: ["packages/*/{src,page}/**/*.ts"],
    plugins: { "@nx": nx },
    rules: {
      "@nx/enforce-module-boundaries": ["error", { allow: [], depConstraints }],
    },
  },
);
