import { summarise } from "@stowage/bench";
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../parts/in-folder.mjs";
import { output } from "../parts/programs.mjs";

const ENGINE = 'const { createEngine } = await import("@stowage/selector"); const engine = createEngine();';
const FROM_TO = "new Float64Array(512 * 512), new Float64Array(512)";
const COLUMN = '{ kind: "vector", count: 512, blocklength: 1, stride: 512, child: "MPI_DOUBLE" }';
const PROGRAMS = {
  node: "",
  koffi: 'await import("koffi");',
  tsyringe: 'await import("reflect-metadata"); await import("tsyringe");',
  engineOverCpu: 'await import("@stowage/engine"); await import("@stowage/backend-cpu");',
  x64: 'await import("@stowage/backend-x64");',
  createEngine: ENGINE,
  firstPack: `${ENGINE} engine.commit(${COLUMN}).pack(${FROM_TO}).wait();`,
};
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** An installation: the packages as they are published, and everybody else's as they are here. */
function installed(home) {
  const staged = join(ROOT, "tmp", "packages");
  if (!existsSync(staged)) throw new Error("tmp/packages: expected what scripts/stage-packages.mjs writes, got none");
  const modules = join(home, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "@stowage" && !name.startsWith("."))
      symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  for (const name of readdirSync(staged))
    cpSync(join(staged, name), join(modules, "@stowage", name), { recursive: true });
}

export default {
  name: "start",
  question: "What does a process pay before its first pack, with the packages as they are published?",
  kind: "times",
  options: { rounds: { kind: "number", says: "processes of each, in turns", byDefault: 20 } },
  trial: "packages that scripts/stage-packages.mjs has staged",
  async *cells() {
    yield* inFolder("start", function* (home) {
      installed(home);
      yield { label: { workload: "from spawn to exit" }, home };
    });
  },
  contenders: () => ({}),
  run(_, { home }, { rounds }) {
    const samples = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, []]));
    for (let i = 0; i < rounds; i++)
      for (const [name, program] of Object.entries(PROGRAMS)) {
        const begin = performance.now();
        output(process.execPath, ["--input-type=module", "-e", program], { cwd: home });
        samples[name].push((performance.now() - begin) * 1e6);
      }
    const leastOf = (name) => Math.min(...samples[name]);
    return Object.fromEntries(
      Object.entries(samples).map(([name, all]) => [
        name,
        { ...summarise(all), beyondNodeNs: leastOf(name) - leastOf("node"), program: PROGRAMS[name] },
      ]),
    );
  },
};
