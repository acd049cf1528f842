import { boundsOf, parseDatatypeText, requireObject, type Datatype } from "@stowage/ir";
import { requireNumber, requireText } from "../require-value.js";
import { workloadOfSize } from "./named-workloads.js";

/**
 * What is to be measured, as data, so that another process can make it too: a workload by name, which may end in a size
 * as vector-8@64MiB, or a datatype document.
 */
export type Subject =
  | { readonly kind: "workload"; readonly name: string }
  | { readonly kind: "document"; readonly name: string; readonly document: string };

/** A datatype, and how many elements of it are moved. */
export interface Elements {
  readonly name: string;
  readonly datatype: Datatype;
  readonly count: number;
}

/** A workload by name, as a subject. */
export const workloadSubject = (name: string): Subject => ({ kind: "workload", name });

/** A subject's elements: as published, or about `packedBytes` of them. A document is scaled by its count. */
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
