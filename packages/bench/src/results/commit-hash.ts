import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/**
 * The commit that this code was built of, with a plus sign where the checkout has changes. It is STOWAGE_COMMIT, or
 * what the package says of itself (npm's `gitHead`, which bundles and published packages have), or the checkout that
 * the package lies in, or else "unknown"; never the commit of a user's own project.
 */
export function commitHash(): string {
  const root = packageRoot(import.meta.dirname);
  return process.env["STOWAGE_COMMIT"] ?? gitHeadOf(root) ?? checkedOut(root) ?? "unknown";
}

const packageRoot = (folder: string): string =>
  existsSync(join(folder, "package.json")) ? folder : packageRoot(dirname(folder));

function gitHeadOf(root: string): string | undefined {
  const { gitHead } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { gitHead?: string };
  return gitHead;
}

function checkedOut(root: string): string | undefined {
  if (root.includes(`${sep}node_modules${sep}`)) return undefined;
  const git = (...words: readonly string[]): string =>
    execFileSync("git", ["-C", root, ...words], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const hash = git("rev-parse", "--short=12", "HEAD");
    return git("status", "--porcelain", "-uno") === "" ? hash : `${hash}+`;
  } catch {
    return undefined;
  }
}
