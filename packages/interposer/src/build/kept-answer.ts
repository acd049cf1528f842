import { createHash } from "node:crypto";
import { closeSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { trustedFolder } from "../cache/private-folder.js";
import { openTrusted } from "../cache/trusted-file.js";
import { writeWhole } from "../cache/write-whole.js";

/** A file that an answer rests on, and which bytes it had. */
export interface Stamped {
  readonly path: string;
  readonly stamp: string;
}

/** What is kept of an answer. */
interface Kept<Answer> {
  readonly answer: Answer;
  readonly files: readonly Stamped[];
}

/** The name of the file that an answer is kept in: of what kind it is, and all that it depends on beside files. */
export const answerName = (kind: string, words: readonly string[]): string =>
  `${kind}-${createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 16)}.json`;

export const stamped = (paths: readonly string[]): readonly Stamped[] =>
  paths.map((path) => ({ path, stamp: stampOf(path) }));

/** One of these changes where a file is replaced or written, or a folder gets or loses a name; "": there is none. */
function stampOf(path: string): string {
  const facts = statSync(path, { throwIfNoEntry: false, bigint: true });
  return facts === undefined ? "" : [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(" ");
}

/**
 * An answer that is kept in a folder, while its files are those that they were; undefined: there is none. Whoever can
 * write there has code run in every rank anyway.
 */
export function keptAnswer<Answer>(folder: string, name: string): Answer | undefined {
  try {
    const trusted = trustedFolder(folder);
    const file = trusted && openTrusted(trusted, name);
    if (file === undefined) return undefined;
    try {
      const { answer, files } = JSON.parse(readFileSync(file, "utf8")) as Kept<Answer>;
      return files.every(({ path, stamp }) => stampOf(path) === stamp) ? answer : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

/** Where that cannot be, it is asked again. */
export function keepAnswer<Answer>(folder: string, name: string, answer: Answer, files: readonly Stamped[]): void {
  try {
    writeWhole(join(folder, name), JSON.stringify({ answer, files } satisfies Kept<Answer>));
  } catch {
    // no folder of ours
  }
}
