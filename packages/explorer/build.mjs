// Makes the pages: one HTML file each, with its style, its script and nothing else to load, under a policy that lets
// it load nothing. `node packages/explorer/build.mjs`; from the sources, so that it needs no build before.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptOf } from "./script-of.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, "page", name), "utf8");
const digest = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

/** A page with its script and style allowed by what they hash to, workers of its own making, and no network. */
async function build(name, title, entry) {
  const [script, style] = [await scriptOf(join(here, "page", entry), "page"), read("style.css")];
  const nonce = createHash("sha256").update(script).digest("hex").slice(0, 24);
  const policy = [
    "default-src 'none'",
    `script-src '${digest(script)}' 'wasm-unsafe-eval'`,
    "worker-src blob:",
    `style-src 'nonce-${nonce}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = {
    POLICY: policy,
    TITLE: title,
    STYLE: `<style nonce="${nonce}">${style}</style>`,
    SCRIPT: `<script>${script}</script>`,
    DATA: "<!--data-->",
  };
  const page = read("index.html").replaceAll(/%([A-Z]+)%/g, (_, part) => parts[part]);
  mkdirSync(join(here, "dist"), { recursive: true });
  writeFileSync(join(here, "dist", name), page);
}

await build("explorer.html", "Stowage explorer", "explorer-page.ts");
await build("report.html", "Stowage results", "report-page.ts");
