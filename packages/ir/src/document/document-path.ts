/** Where a document lies inside the whole one; spelled out only when an error needs it. */
export interface DocumentPath {
  readonly parent: DocumentPath | undefined;
  /** What the parent's path gains, such as `.child` or `.children[2]`; the root's own name at the root. */
  readonly step: string | number;
}

const DEEPEST_SHOWN = 12;

/**
 * A path as errors have it, such as `type.children[2].child`. A path of thousands of steps keeps its two ends and
 * counts what it leaves out.
 */
export function textOf(path: DocumentPath): string {
  const steps: string[] = [];
  for (let at: DocumentPath | undefined = path; at !== undefined; at = at.parent) {
    steps.push(typeof at.step === "number" ? `.children[${at.step}]` : at.step);
  }
  steps.reverse();
  if (steps.length <= 2 * DEEPEST_SHOWN) return steps.join("");
  const left = steps.length - 2 * DEEPEST_SHOWN;
  return `${steps.slice(0, DEEPEST_SHOWN).join("")}...(${left} more)...${steps.slice(-DEEPEST_SHOWN).join("")}`;
}
