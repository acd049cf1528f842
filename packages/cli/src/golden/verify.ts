import { createEngine, type Engine } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { readText } from "../read-text.js";
import { FindingError } from "../run-program.js";
import { checkCase } from "./check-case.js";
import { goldenFile } from "./golden-file.js";
import { parseGolden, type GoldenCase } from "./golden-case.js";

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

/** `stowage verify`. */
export function verify(files: readonly string[], options: Options): void {
  using engine = createEngine();
  const backends = hostBackends(engine, options.backend);
  const cases = (files.length === 0 ? [goldenFile()] : files).flatMap(casesOf);
  using bar = progressBar("verify");
  const disagreements = cases.flatMap(({ file, golden }, i) => {
    bar.show(i, cases.length);
    return check(file, golden, engine, backends);
  });
  bar.end();
  const lines = new Set(disagreements.map(({ file, line }) => `${file}:${line}`));
  const summary = `${cases.length - lines.size} of ${cases.length} agree`;
  if (options.json === true)
    printJson({ cases: cases.length, agree: cases.length - lines.size, backends, disagreements });
  else report(disagreements, `${summary} (${backends.join(", ")})`);
  if (lines.size > 0) throw new FindingError(summary);
}

function casesOf(file: string): readonly { readonly file: string; readonly golden: GoldenCase }[] {
  const cases = [...parseGolden(readText(file), file)].map((golden) => ({ file, golden }));
  if (cases.length === 0) throw new Error(`${file}: expected golden cases, one JSON object a line, got none`);
  return cases;
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
  for (const { file, line, backend, finding } of disagreements) print(`${file}:${line}: ${backend}: ${finding}`);
  print(summary);
}
