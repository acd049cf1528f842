import { createRequire } from "node:module";
import type * as Tsyringe from "tsyringe";

/**
 * tsyringe's own container, where users register backends; undefined where it is not installed, as beside a bundle that
 * was moved: nobody can have registered any. Its 40 CommonJS files are required when the first engine is made: an
 * import statement has Node look through each for names to export, and takes three times as long (45 ms of processor
 * time, not 16).
 */
export function globalContainer(): Tsyringe.DependencyContainer | undefined {
  const require = createRequire(import.meta.url);
  try {
    require("reflect-metadata");
    return (require("tsyringe") as typeof Tsyringe).container;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
