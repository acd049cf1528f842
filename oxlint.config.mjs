// What lint asks, of types too: by `typeCheck` it reports what the compiler would.
import { depConstraints } from "./scripts/lint/direction.mjs";

/** A file holds one concept, whole, whatever its length: a longer one is looked at again. */
const MANY_LINES = 500;

/** typescript-eslint's recommended-type-checked, and two more. */
const TYPED = [
  "no-var",
  "prefer-const",
  "prefer-rest-params",
  "prefer-spread",
  "no-array-constructor",
  "no-unused-expressions",
  "typescript/await-thenable",
  "typescript/ban-ts-comment",
  "typescript/consistent-type-imports",
  "typescript/no-array-delete",
  "typescript/no-base-to-string",
  "typescript/no-duplicate-enum-values",
  "typescript/no-duplicate-type-constituents",
  "typescript/no-empty-object-type",
  "typescript/no-explicit-any",
  "typescript/no-extra-non-null-assertion",
  "typescript/no-floating-promises",
  "typescript/no-for-in-array",
  "typescript/no-implied-eval",
  "typescript/no-misused-new",
  "typescript/no-misused-promises",
  "typescript/no-namespace",
  "typescript/no-non-null-asserted-optional-chain",
  "typescript/no-redundant-type-constituents",
  "typescript/no-require-imports",
  "typescript/no-this-alias",
  "typescript/no-unnecessary-type-assertion",
  "typescript/no-unnecessary-type-constraint",
  "typescript/no-unsafe-argument",
  "typescript/no-unsafe-assignment",
  "typescript/no-unsafe-call",
  "typescript/no-unsafe-declaration-merging",
  "typescript/no-unsafe-enum-comparison",
  "typescript/no-unsafe-function-type",
  "typescript/no-unsafe-member-access",
  "typescript/no-unsafe-return",
  "typescript/no-unsafe-unary-minus",
  "typescript/no-wrapper-object-types",
  "typescript/only-throw-error",
  "typescript/prefer-as-const",
  "typescript/prefer-namespace-keyword",
  "typescript/prefer-promise-reject-errors",
  "typescript/require-await",
  "typescript/restrict-plus-operands",
  "typescript/switch-exhaustiveness-check",
  "typescript/triple-slash-reference",
  "typescript/unbound-method",
];

const OF_LOWER = { group: ["**/lower/*"], message: "A plan knows nothing of what is written by it." };
const ALONE = "Rules import no rules: what several ask is a fact, in facts/.";

export default {
  plugins: ["typescript"],
  jsPlugins: ["./scripts/lint/plugin.mjs", { name: "nx", specifier: "@nx/eslint-plugin" }],
  categories: { correctness: "off" },
  options: { typeAware: true, typeCheck: true },
  ignorePatterns: ["**/dist/", "**/*.d.ts", "tmp/", ".nx/", "outside/project/", "outside/previous/"],
  overrides: [
    {
      files: ["**/*.ts"],
      rules: {
        ...Object.fromEntries(TYPED.map((name) => [name, "error"])),
        "no-unused-vars": [
          "error",
          { argsIgnorePattern: "^_", ignoreRestSiblings: true, ignoreUsingDeclarations: true },
        ],
        "typescript/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      },
    },
    {
      files: ["**/*.{ts,js,mjs}"],
      rules: { "max-lines": ["warn", MANY_LINES], "stowage/comment-width": "error" },
    },
    {
      // Choice apart from doing: of what decides about code, rules, the facts that
      // they share, and targets hold all thresholds.
      files: [
        "packages/backend-x64/src/{loops,lower,relayout,reduce,threads,memory}/**/*.ts",
        "packages/backend-x64/src/{compile,cost-model}.ts",
      ],
      excludeFiles: ["packages/backend-x64/src/*/{rules,facts}/**"],
      rules: { "stowage/literal-thresholds": "error" },
    },
    {
      files: ["packages/backend-x64/src/{loops,targets}/**/*.ts"],
      rules: {
        "no-restricted-imports": ["error", { patterns: [OF_LOWER] }],
      },
    },
    {
      files: ["packages/backend-x64/src/*/rules/*.ts"],
      rules: {
        "no-restricted-imports": ["error", { patterns: [OF_LOWER, { regex: "/rules/|^\\./", message: ALONE }] }],
      },
    },
    {
      files: ["packages/backend-x64/src/*/rules/*/*.ts"],
      rules: {
        "no-restricted-imports": [
          "error",
          { patterns: [OF_LOWER, { regex: "/rules/|^\\./|^\\.\\./[a-z]", message: ALONE }] },
        ],
      },
    },
    {
      files: ["packages/*/{src,page}/**/*.ts"],
      rules: { "nx/enforce-module-boundaries": ["error", { allow: [], depConstraints }] },
    },
  ],
};
