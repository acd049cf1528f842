import { resolve } from "node:path";
import { VERSION } from "../version.js";
import { EXEC_NAME } from "./exec-script.js";
import { LIBRARIES_VARIABLE, namedLibraries, siteLibraries } from "./site-libraries.js";

/** Options of a module file. */
export interface ModuleOptions {
  /** Which releases the module is for, such as `openmpi-5.0.7`, where the folder has libraries for several. */
  readonly mpis?: readonly string[];
}

/**
 * The text of a module file of Lmod (its documentation, "Lua modulefile functions") for a folder that `exportFiles`
 * filled. It preloads nothing into the shell: it sets what the folder's `stowage-exec` and launchers need.
 * @throws InterposerError where the folder has no libraries of this version
 */
export function moduleFile(site: string, { mpis = [] }: ModuleOptions = {}): string {
  const folder = resolve(site);
  const libraries = siteLibraries(folder, mpis);
  const named = libraries.byAbi.map(([, name]) => name.split("-").slice(1, 3).join("-"));
  return `-- Written by \`stowage module\`; made again after each \`stowage cache export\`.
help([[
Stowage packs the derived datatypes of MPI programs, unmodified (${named.join(", ")}):

  srun ${EXEC_NAME} ./app
  mpirun -n 4 ${EXEC_NAME} ./app

or, without the script, for the application alone:

  srun --export=ALL,LD_PRELOAD=$STOWAGE_PRELOAD ./app
  mpiexec -env LD_PRELOAD $STOWAGE_PRELOAD -n 4 ./app     (MPICH)
  mpirun -x LD_PRELOAD=$STOWAGE_PRELOAD -n 4 ./app        (Open MPI)

STOWAGE_EXCLUDE keeps programs native by their names: export STOWAGE_EXCLUDE='app-*:helper'
]])
whatis("Name: stowage")
whatis("Version: ${VERSION}")
whatis("Description: packs the derived datatypes of MPI programs, unmodified")
conflict("stowage")

local site = ${lua(folder)}
local home = os.getenv("XDG_CACHE_HOME") or pathJoin(os.getenv("HOME") or "/nonexistent", ".cache")
prepend_path("PATH", pathJoin(site, "bin"))
setenv("STOWAGE_PRELOAD", pathJoin(site, "lib", ${lua(libraries.preloaded)}))
setenv("${LIBRARIES_VARIABLE}", ${lua(namedLibraries(libraries, `${folder}/lib`))})
setenv("STOWAGE_CACHE", pathJoin(home, "stowage/code") .. ":" .. pathJoin(site, "code"))
`;
}

/** A string of Lua; JSON's escapes of quotes and backslashes are Lua's too. */
const lua = (text: string): string => JSON.stringify(text);
