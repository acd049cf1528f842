// The public surface of every package that users and backends import across versions, as api/NAME.api.md, which leaves
// out those that are commands and pages, or that only their command imports. With --update the reports are rewritten;
// without, a difference fails: a change of a public surface is a decision, and shows in review.
import apiExtractor from "@microsoft/api-extractor";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { CompilerState, Extractor, ExtractorConfig } = apiExtractor;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const update = process.argv.includes("--update");
mkdirSync(join(root, "api"), { recursive: true });

function configOf(folder) {
  const projectFolder = join(root, "packages", folder);
  return ExtractorConfig.prepare({
    packageJsonFullPath: join(projectFolder, "package.json"),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder,
      mainEntryPointFilePath: join(projectFolder, "dist", "index.d.ts"),
      apiReport: {
        enabled: true,
        reportFileName: `${folder}.api.md`,
        reportFolder: join(root, "api"),
        reportTempFolder: join(root, "tmp", "api"),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      compiler: { tsconfigFilePath: join(projectFolder, "tsconfig.json") },
      messages: {
        extractorMessageReporting: { default: { logLevel: "none" } },
        compilerMessageReporting: { default: { logLevel: "none" } },
        tsdocMessageReporting: { default: { logLevel: "none" } },
      },
    },
  });
}

const UNREPORTED = ["cli", "explorer", "interposer", "overheads"];
const folders = readdirSync(join(root, "packages")).filter(
  (name) => existsSync(join(root, "packages", name, "package.json")) && !UNREPORTED.includes(name),
);
const configs = folders.map(configOf);
/** What a package is compiled with, such as Node's types: a name of theirs changes how a report writes ours. */
const optionsOf = ({ tsconfigFilePath }) =>
  JSON.stringify(JSON.parse(readFileSync(tsconfigFilePath, "utf8")).compilerOptions);
/** One program of all packages of the same options: to read what they share takes most of the time. */
const programs = new Map();
for (const config of configs) {
  const alike = configs.filter((each) => optionsOf(each) === optionsOf(config));
  const additionalEntryPoints = alike.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  if (config === alike[0]) programs.set(optionsOf(config), CompilerState.create(config, { additionalEntryPoints }));
}
let failed = 0;
for (const [at, folder] of folders.entries()) {
  const { name } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
  const compilerState = programs.get(optionsOf(configs[at]));
  const options = { compilerState, localBuild: update, showVerboseMessages: false };
  const { succeeded, apiReportChanged } = Extractor.invoke(configs[at], options);
  if (succeeded && (update || !apiReportChanged)) continue;
  failed++;
  console.error(`${name}: public surface: expected as in api/${folder}.api.md, got another (npm run api rewrites it)`);
}
console.log(`${folders.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
