import type { Backend } from "@stowage/backend-api";
import type { BoundsRule } from "@stowage/ir";
import { isRoute } from "@stowage/routes";
import { createEngine, type Engine } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { progressBar } from "../progress.js";
import { readText } from "../read-text.js";
import { FindingError } from "../exit-code.js";
import { checkCase, refusalOf, type Way } from "./check-case.js";
import { goldenFile } from "./golden-file.js";
import { parseGolden, type GoldenCase } from "./golden-case.js";
import { ruleOfFile } from "./rule-of-file.js";
import { hostStore } from "./store.js";

interface Options {
  readonly backend: string;
  readonly device?: "cuda";
  readonly simulated?: boolean;
  readonly bounds?: BoundsRule;
  readonly json?: boolean;
}

/** A way with its name in reports. */
interface NamedWay extends Way {
  readonly name: string;
}

interface Disagreement {
  readonly file: string;
  readonly line: number;
  readonly backend: string;
  readonly finding: string;
}

/** `stowage verify`. */
export async function verify(files: readonly string[], options: Options): Promise<void> {
  if (options.device === undefined) {
    if (options.simulated === true) throw new Error("--simulated: expected --device beside it, got none");
    using engine = createEngine();
    return verifyBy(files, options, engine, hostWays(engine, options.backend));
  }
  const { DeviceWays } = await import("./device-ways.js");
  using ways = new DeviceWays(options.simulated === true);
  verifyBy(files, options, ways.engine, asked(ways.all, options.backend));
}

function verifyBy(files: readonly string[], options: Options, engine: Engine, ways: readonly NamedWay[]): void {
  const cases = (files.length === 0 ? [goldenFile()] : files).flatMap((file) => casesOf(file, options.bounds ?? ruleOfFile(file)));
  const refusals = new Map<string, number>();
  using bar = progressBar("verify");
  const disagreements = cases.flatMap(({ file, golden }, i) => {
    bar.show(i, cases.length);
    return check(file, golden, engine, ways, options.device === undefined ? undefined : refusals);
  });
  bar.end();
  const lines = new Set(disagreements.map(({ file, line }) => `${file}:${line}`));
  const summary = `${cases.length - lines.size} of ${cases.length} agree`;
  const backends = ways.map(({ name }) => name);
  const told = Object.fromEntries(refusals);
  if (options.json === true)
    printJson({ cases: cases.length, agree: cases.length - lines.size, backends, refused: told, disagreements });
  else report(disagreements, `${summary} (${backends.map((name) => withRefusals(name, refusals)).join(", ")})`);
  if (lines.size > 0) throw new FindingError(summary);
}

/** A way that does not take every datatype says of how many it did not. */
const withRefusals = (name: string, refusals: ReadonlyMap<string, number>): string =>
  refusals.has(name) ? `${name} but ${refusals.get(name)}` : name;

function casesOf(
  file: string,
  bounds: BoundsRule,
): readonly { readonly file: string; readonly golden: GoldenCase }[] {
  const cases = [...parseGolden(readText(file), file, bounds)].map((golden) => ({ file, golden }));
  if (cases.length === 0) throw new Error(`${file}: expected golden cases, one JSON object a line, got none`);
  return cases;
}

/** The backends that this machine can run on host memory. */
function hostWays(engine: Engine, backend: string): readonly NamedWay[] {
  const names = engine.backends.map(({ name }) => name);
  if (backend !== "all" && !names.includes(backend))
    throw new Error(`--backend: expected all or one of ${names.join(", ")}, got ${backend}`);
  return engine.backends
    .filter((each) => (backend === "all" ? isOfHosts(each) : each.name === backend))
    .map(({ name }) => ({ name, backend: name, scattered: hostStore(), packed: hostStore() }));
}

const isOfHosts = (backend: Backend): boolean =>
  !backend.name.startsWith("cuda") && backend.name !== "dma" && !isRoute(backend);

function asked<W extends Way>(ways: readonly W[], backend: string): readonly W[] {
  const chosen = backend === "all" ? ways : ways.filter((way) => way.backend === backend);
  const names = [...new Set(ways.map((way) => way.backend))];
  if (chosen.length === 0) throw new Error(`--backend: expected all or one of ${names.join(", ")}, got ${backend}`);
  return chosen;
}

function check(
  file: string,
  golden: GoldenCase,
  engine: Engine,
  ways: readonly NamedWay[],
  refusals: Map<string, number> | undefined,
): readonly Disagreement[] {
  return ways.flatMap((way) => {
    if (refusals !== undefined && refusalOf(golden, engine, way) !== undefined) {
      refusals.set(way.name, (refusals.get(way.name) ?? 0) + 1);
      return [];
    }
    const finding = checkCase(golden, engine, way);
    return finding === undefined ? [] : [{ file, line: golden.line, backend: way.name, finding }];
  });
}

function report(disagreements: readonly Disagreement[], summary: string): void {
  for (const { file, line, backend, finding } of disagreements) print(`${file}:${line}: ${backend}: ${finding}`);
  print(summary);
}
