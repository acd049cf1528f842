import { join } from "node:path";
import { inFolder } from "./in-folder.js";
import { startService, type RunningService } from "../../src/index.js";

export interface Surroundings {
  readonly folder: string;
  readonly cache: string;
  readonly service: RunningService;
  /** For ranks: the cache and the service. */
  readonly environment: NodeJS.ProcessEnv;
}

/** A service of its own, with an empty cache, ended afterwards. */
export const withService = <T>(
  use: (surroundings: Surroundings) => Promise<T>,
  more: NodeJS.ProcessEnv = {},
): Promise<T> =>
  inFolder(async (folder) => {
    const cache = join(folder, "cache");
    const environment = { ...more, STOWAGE_CACHE: cache, XDG_RUNTIME_DIR: folder };
    const service = await startService({ ...process.env, ...environment });
    try {
      return await use({ folder, cache, service, environment: { ...environment, STOWAGE_SERVICE: service.path } });
    } finally {
      service.process?.kill("SIGKILL");
    }
  });
