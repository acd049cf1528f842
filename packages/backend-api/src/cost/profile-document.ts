import { ArgumentError, quoted } from "@stowage/ir";
import type { Figures } from "./figures.js";
import type { Profile } from "./profile.js";

/** The form of profile files, in their field `schema`. */
export const PROFILE_SCHEMA = "stowage-profile/1";
/** The version of the backends' cost models. Profiles with figures of another version are measured anew. */
export const MODELS_VERSION = 2;

/** The machine that a profile was measured on. A profile is stale where one of these fields differs. */
export interface ProfiledMachine {
  /** The processor's model name. */
  readonly cpu: string;
  /** Vector instructions that machine code may use, as the system names them. */
  readonly features: readonly string[];
  /** How many processor cores there are. */
  readonly cores: number;
  /** The name of the GPU; null where there is none. */
  readonly gpu: string | null;
  /** The version of the GPU's driver; null where there is none. */
  readonly driver: string | null;
}

/** A profile as a file holds it. */
export interface ProfileDocument {
  readonly schema: typeof PROFILE_SCHEMA;
  /** The version of the cost models that the figures are of, MODELS_VERSION when it was written. */
  readonly models: number;
  /** When it was measured, as text. */
  readonly date: string;
  readonly machine: ProfiledMachine;
  /** The relative spread of the times of one and the same call while the machine was measured: how loaded it was. */
  readonly noise: number;
  /** The figures, by section and by name: nanoseconds a unit, bytes, or shares; each from 0 to 1e15. */
  readonly figures: Readonly<Record<string, Figures>>;
}

/**
 * Reads the text of a profile file. `subject` names the file in errors. Throws an ArgumentError that says which field
 * is wrong.
 */
export function parseProfile(text: string, subject: string): ProfileDocument {
  const value = parsed(text, subject);
  const fail = (part: string, expected: string, got: unknown): never => {
    throw new ArgumentError(`${subject}${part}`, expected, quoted(got));
  };
  if (!isRecord(value)) return fail("", "an object", value);
  if (value["schema"] !== PROFILE_SCHEMA) return fail(": schema", PROFILE_SCHEMA, value["schema"]);
  if (!isNatural(value["models"])) return fail(": models", "a version", value["models"]);
  if (typeof value["date"] !== "string") return fail(": date", "a string", value["date"]);
  if (!isAmount(value["noise"])) return fail(": noise", "a number of 0 or more", value["noise"]);
  if (!isMachine(value["machine"])) return fail(": machine", "cpu, features, cores, gpu and driver", value["machine"]);
  const figures = value["figures"];
  if (!isRecord(figures)) return fail(": figures", "an object", figures);
  for (const [section, names] of Object.entries(figures)) {
    if (!isRecord(names)) return fail(`: figures of ${section}`, "an object", names);
    for (const [name, figure] of Object.entries(names)) {
      if (!isAmount(figure)) return fail(`: ${section} ${name}`, "a number of 0 or more", figure);
    }
  }
  return value as unknown as ProfileDocument;
}

function parsed(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ArgumentError(subject, "a JSON document", cause instanceof Error ? cause.message : "none", { cause });
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const MOST_FIGURE = 1e15;
const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= MOST_FIGURE;
const isNatural = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === "string";

const isMachine = (value: unknown): value is ProfiledMachine =>
  isRecord(value) &&
  typeof value["cpu"] === "string" &&
  Array.isArray(value["features"]) &&
  value["features"].every((feature) => typeof feature === "string") &&
  isNatural(value["cores"]) &&
  isTextOrNull(value["gpu"]) &&
  isTextOrNull(value["driver"]);

/** The profile of a document, as backends take it; its machine is the processor's name. */
export const profileOf = ({ machine, figures }: ProfileDocument): Profile =>
  Object.freeze({ machine: machine.cpu, figures });

/** A profile as the text of its file, in JSON. */
export const profileText = (document: ProfileDocument): string => `${JSON.stringify(document, null, 1)}\n`;
