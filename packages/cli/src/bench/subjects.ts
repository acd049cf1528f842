import { namedWorkloads, workloadSubject, type Subject } from "@stowage/bench";
import { writtenType } from "../type-argument.js";

/**
 * What the arguments of `stowage bench` name; `group` where there are none. Throws one line where one names nothing, or
 * is no datatype: before anything is measured.
 */
export function subjectsOf(types: readonly string[], group: string): readonly Subject[] {
  return (types.length === 0 ? [group] : types).flatMap((type): readonly Subject[] => {
    const written = writtenType(type);
    if (written === undefined) return namedWorkloads([type.trim()]).map(workloadSubject);
    const { name, document } = written;
    return [{ kind: "document", name, document }];
  });
}
