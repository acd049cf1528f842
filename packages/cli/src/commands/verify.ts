import { createEngine, type Engine } from "@stowage/selector";
import { Command } from "commander";
import { checkCase } from "../golden/check-case.js";
import { parseGolden, type GoldenCase } from "../golden/golden-case.js";
import { printJson } from "../print.js";
import { withProgress } from "../progress.js";
import { FindingError } from "../run-program.js";
import { readText } from "../type-argument.js";

interface Options {
  readonly backend: string;
  readonly json?: boolean;
}

interface Disagreement {
  readonly file: string;
  readonly line: number;
  readonly backend: string;
  readonly finding: string;
}

export function verifyCommand(): Command {
  return new Command("verify")
    .description("check golden files, made by a real MPI: sizes, bounds, packed bytes, ranges, unpack with canaries")
    .argument("[FILES...]", "golden files, one JSON object a line", ["golden/openmpi-4.1.4.jsonl"])
    .option("--backend <name>", "the backend to check, or all", "all")
    .option("--json", "print the result as JSON")
    .action(verify);
}

function verify(files: readonly string[], options: Options): void {
  using engine = createEngine();
  const cases = files.flatMap((file) => [...parseGolden(readText(file), file)].map((golden) => ({ file, golden })));
  const backends = hostBackends(engine, options.backend);
  const disagreements = withProgress("verify", cases, (one) => check(one.file, one.golden, engine, backends)).flat();
  const lines = new Set(disagreements.map(({ file, line }) => `${file}:${line}`));
  const summary = `${cases.length - lines.size} of ${cases.length} agree`;
  if (options.json === true)
    printJson({ cases: cases.length, agree: cases.length - lines.size, backends, disagreements });
  else report(disagreements, `${summary} (${backends.join(", ")})`);
  if (lines.size > 0) throw new FindingError(summary);
}

/** The backends that this machine can run on host memory. */
function hostBackends(engine: Engine, asked: string): readonly string[] {
  const names = engine.backends.map(({ name }) => name);
  if (asked === "all") return names.filter((name) => !name.startsWith("cuda") && name !== "dma");
  if (!names.includes(asked)) throw new Error(`--backend: expected all or one of ${names.join(", ")}, got ${asked}`);
  return [asked];
}

function check(file: string, golden: GoldenCase, engine: Engine, backends: readonly string[]): readonly Disagreement[] {
  return backends.flatMap((backend) => {
    const finding = checkCase(golden, engine, backend);
    return finding === undefined ? [] : [{ file, line: golden.line, backend, finding }];
  });
}

function report(disagreements: readonly Disagreement[], summary: string): void {
  for (const { file, line, backend, finding } of disagreements) console.log(`${file}:${line}: ${backend}: ${finding}`);
  console.log(summary);
}
