// What each package weighs in a browser: all that it exports and all that this imports, bundled and minified. Packages
// that need Node (a `node:` module, or koffi) are named last. `node scripts/browser-sizes.mjs`, after `npm run build`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const NEEDS_NODE = /^(node:|koffi$|vitest$)/;
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The text of a package's bundle; undefined where a module outside browsers is imported. */
async function bundleOf(folder) {
  let needsNode = false;
  const external = (name) => {
    needsNode ||= NEEDS_NODE.test(name);
    return NEEDS_NODE.test(name);
  };
  const bundle = await rolldown({
    input: join(folder, "dist/index.js"),
    external,
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false });
  await bundle.close();
  return needsNode ? undefined : output.map(({ code }) => code).join("");
}

const rows = [];
const elsewhere = [];
for (const folder of readdirSync(join(root, "packages")).map((name) => join(root, "packages", name))) {
  if (!existsSync(join(folder, "dist/index.js"))) continue;
  const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const text = await bundleOf(folder);
  if (text === undefined) elsewhere.push(name);
  else
    rows.push(`| \`${name}\` | ${text.length.toLocaleString("en")} | ${gzipSync(text).length.toLocaleString("en")} |`);
}
console.log(["| package | bytes, minified | bytes, gzip |", "| --- | ---: | ---: |", ...rows].join("\n"));
console.log(`\nIn Node alone: ${elsewhere.map((name) => `\`${name}\``).join(", ")}.`);
