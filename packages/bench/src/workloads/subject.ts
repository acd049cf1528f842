import { boundsOf, parseDatatypeText, requireObject, type Datatype } from "@stowage/ir";
import { requireNumber, requireText } from "../require-value.js";
import { workloadOfSize } from "./named-workloads.js";

/**
 * What is to be measured, as data, so that another process can make it too: a workload by name, which may end in a size
 * (vector-8@64MiB), or the text of a datatype document in JSON.
 */
export type Subject =
  | { readonly kind: "workload"; readonly name: string }
  | { readonly kind: "document"; readonly name: string; readonly document: string };

/** A datatype, and how many elements of it are moved. */
export interface Elements {
  /** The name in result rows. */
  readonly name: string;
  /** The datatype. */
  readonly datatype: Datatype;
  /** How many elements, 1 or more. */
  readonly count: number;
}

/** A workload by name, as a subject. */
export const workloadSubject = (name: string): Subject => ({ kind: "workload", name });

/**
 * A subject's elements: as published, or as many as take about `packedBytes` bytes. A document is scaled by its count.
 * Throws an ArgumentError for an unknown workload, and a DatatypeError for a document that describes no datatype.
 */
export function elementsOf(subject: Subject, packedBytes?: number): Elements {
  requireObject(subject, "subject", "{ kind, name }");
  if (subject.kind === "workload") return workloadOfSize(subject.name, packedBytes);
  if (packedBytes !== undefined) requireNumber(packedBytes, "packed bytes");
  requireText(subject.name, "name of a document");
  const datatype = parseDatatypeText(subject.document);
  const { sizeBytes } = boundsOf(datatype);
  const scaled = packedBytes === undefined || sizeBytes === 0 ? 1 : Math.round(packedBytes / sizeBytes);
  return { name: subject.name, datatype, count: Math.max(1, scaled) };
}
