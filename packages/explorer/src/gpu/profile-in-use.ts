import {
  MODELS_VERSION,
  parseProfile,
  profileOf,
  UNCALIBRATED,
  type Profile,
  type ProfileDocument,
} from "@stowage/backend-api";

/** A file that was dropped into the page. */
export interface ProfileFile {
  readonly name: string;
  readonly text: string;
}

/** Figures to predict by, and in words whose they are. */
export interface ProfileInUse {
  readonly profile: Profile;
  readonly about: string;
}

const SHIPPED: ProfileInUse = {
  profile: UNCALIBRATED,
  about: "Shipped figures, of the machines that Stowage was developed on.",
};

/**
 * The figures of a file that `stowage calibrate` wrote; without one, those that come with the backends. Throws an
 * ArgumentError of one line where the file is no profile.
 */
export function profileInUse(file: ProfileFile | undefined): ProfileInUse {
  if (file === undefined) return SHIPPED;
  const document = parseProfile(file.text, `profile ${file.name}`);
  return { profile: profileOf(document), about: `${file.name}: ${aboutProfile(document)}` };
}

function aboutProfile({ machine, date, models, figures }: ProfileDocument): string {
  const { cpu, cores, gpu, driver } = machine;
  const missing = Object.keys(UNCALIBRATED.figures).filter((section) => !(section in figures));
  return [
    `${cpu}, ${cores} cores, ${gpu === null ? "no GPU" : `${gpu}, driver ${driver ?? "unknown"}`}, of ${date.slice(0, 10)}.`,
    missing.length === 0 ? [] : `Shipped figures serve where it has none: ${missing.join(", ")}.`,
    models === MODELS_VERSION ? [] : `Its figures are of cost models ${models}; these are ${MODELS_VERSION}.`,
  ]
    .flat()
    .join(" ");
}
