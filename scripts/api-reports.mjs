// The public surface of every package that users and backends import across versions, as api/NAME.api.md, which leaves
// out those that are commands and pages, or that only their command imports. With --update the reports are rewritten;
// without, a difference fails: a change of a public surface is a decision, and shows in review.
import apiExtractor from "@microsoft/api-extractor";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { Extractor, ExtractorConfig } = apiExtractor;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const update = process.argv.includes("--update");
mkdirSync(join(root, "api"), { recursive: true });

function reportOf(folder) {
  const projectFolder = join(root, "packages", folder);
  const config = ExtractorConfig.prepare({
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
  return Extractor.invoke(config, { localBuild: update, showVerboseMessages: false });
}

let failed = 0;
const UNREPORTED = ["cli", "explorer", "interposer", "overheads"];
const folders = readdirSync(join(root, "packages")).filter(
  (name) => existsSync(join(root, "packages", name, "package.json")) && !UNREPORTED.includes(name),
);
for (const folder of folders) {
  const { name } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
  const { succeeded, apiReportChanged } = reportOf(folder);
  if (succeeded && (update || !apiReportChanged)) continue;
  failed++;
  console.error(`${name}: public surface: expected as in api/${folder}.api.md, got another (npm run api rewrites it)`);
}
console.log(`${folders.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
