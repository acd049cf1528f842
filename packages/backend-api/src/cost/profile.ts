import { requireRecord, type FieldRules } from "@stowage/ir";
import type { Figures } from "./figures.js";
import { SHIPPED_FIGURES } from "./shipped-figures.js";

/**
 * Measured figures of one machine, in sections: one for each backend, and "host" for what all share. Data that
 * `Backend.predict` reads.
 */
export interface Profile {
  /** The machine's name. */
  readonly machine: string;
  /** The figures, by section and by name. */
  readonly figures: Readonly<Record<string, Figures>>;
}

/** The profile for a machine without its own: figures of the machines that Stowage was developed on. */
export const UNCALIBRATED: Profile = Object.freeze({ machine: "uncalibrated", figures: SHIPPED_FIGURES });

const RULES: FieldRules<Profile> = {
  machine: { expected: "a name", allows: (value) => typeof value === "string" },
  figures: { expected: "sections of figures", allows: areSections },
};

function areSections(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const sections: readonly unknown[] = Object.values(value);
  return sections.every((section) => typeof section === "object" && section !== null && areFinite(section));
}

const areFinite = (figures: object): boolean => Object.values(figures).every(Number.isFinite);

/** Returns the profile. Throws an ArgumentError where plain JavaScript handed over what is no profile. */
export const requireProfile = (profile: Profile): Profile => requireRecord(profile, "profile", RULES);

/** Looks up a figure by name; 0 where nobody measured it. */
export type FigureOf = (name: string) => number;

/** Profiles are frozen data: what was looked up once holds. */
const known = new WeakMap<Profile, Map<string, FigureOf>>();

/**
 * Looks up the figures of one section whose names begin with `mode` and a dot, by the rest of their names; with no
 * `mode`, all of the section. A figure that the profile lacks is the shipped one. Throws an ArgumentError for what is
 * no profile.
 */
export function figuresOf(profile: Profile, section: string, mode = ""): FigureOf {
  let found = known.get(profile);
  if (found === undefined) known.set(requireProfile(profile), (found = new Map<string, FigureOf>()));
  const key = `${section} ${mode}`;
  const before = found.get(key);
  if (before !== undefined) return before;
  const figure = lookUp({ ...SHIPPED_FIGURES[section], ...profile.figures[section] }, mode);
  found.set(key, figure);
  return figure;
}

function lookUp(figures: Figures, mode: string): FigureOf {
  const prefix = mode === "" ? "" : `${mode}.`;
  const own = new Map(
    Object.entries(figures)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
  return (name) => own.get(name) ?? 0;
}
