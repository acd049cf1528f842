import { readFileSync } from "node:fs";
import { significant } from "@stowage/bench";
import { findProfile, parseProfile, profileDifference, type ProfileDocument } from "@stowage/selector";
import { print, printJson } from "../print.js";
import { align } from "../tables/align.js";

interface Options {
  readonly json?: boolean;
}

/** `stowage profile show`. Throws one line where the file is none. */
export function showProfile(file: string | undefined, { json }: Options): void {
  const { profile, document, path, remarks } = findProfile(file);
  if (json === true) return printJson(document ?? profile);
  const rows = Object.entries(profile.figures).flatMap(([section, figures]) =>
    Object.entries(figures).map(([name, figure]) => [section, name, significant(figure)]),
  );
  const head = document === undefined ? ["shipped figures"] : [path ?? "", ...about(document)];
  print([...head, ...remarks, "", align([["of", "figure", "ns a unit, bytes or share"], ...rows])].join("\n"));
}

const about = ({ machine, date, noise }: ProfileDocument): readonly string[] => [
  `${machine.cpu}, ${machine.cores} cores${machine.gpu === null ? "" : `, ${machine.gpu} (${machine.driver ?? "?"})`}`,
  `measured ${date}; one and the same call varied by ${(100 * noise).toFixed(0)} % meanwhile`,
];

/** Figures that changed by less are called equal. */
const LEAST_CHANGE = 0.05;

/** `stowage profile diff`. Throws one line where a file is none. */
export function diffProfiles(before: string, after: string, { json }: Options): void {
  const [a, b] = [readProfile(before), readProfile(after)];
  const differences = profileDifference(a, b, LEAST_CHANGE);
  if (json === true) return printJson(differences);
  if (differences.length === 0) return print("no figure differs by more than 5 %");
  const text = (value: number | undefined): string => (value === undefined ? "-" : significant(value));
  const rows = differences.map((each) => [each.section, each.name, text(each.before), text(each.after)]);
  print(align([["of", "figure", "before", "after"], ...rows]));
}

function readProfile(path: string): ProfileDocument {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const { code = "an error" } = error as NodeJS.ErrnoException;
    throw new Error(`profile ${path}: expected a file, got ${code === "ENOENT" ? "none" : code}`, { cause: error });
  }
  return parseProfile(text, `profile ${path}`);
}
