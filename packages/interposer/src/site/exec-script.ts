import { VERSION } from "../version.js";
import { LIBRARIES_VARIABLE, namedLibraries, type SiteLibraries } from "./site-libraries.js";

/** What the script is called, in the site's `bin`. */
export const EXEC_NAME = "stowage-exec";

/**
 * A POSIX shell script that runs a command with the libraries of the folder that it lies in: `srun stowage-exec ./app`.
 * It needs no Node. The command alone, and what it starts, has the library preloaded. Variables that are set already,
 * by a module file say, stay as they are.
 */
export const execScript = (libraries: SiteLibraries): string => `#!/bin/sh
# Runs an MPI program with its datatypes packed by Stowage ${VERSION}: srun ${EXEC_NAME} ./app
# Written by \`stowage cache export\`.
if [ $# -eq 0 ]; then
  echo "${EXEC_NAME}: expected a command, got none" >&2
  exit 2
fi
site=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
own=\${XDG_CACHE_HOME:-\${HOME:+$HOME/.cache}}
export ${LIBRARIES_VARIABLE}="\${${LIBRARIES_VARIABLE}:-${namedLibraries(libraries, "$site/lib")}}"
export STOWAGE_CACHE="\${STOWAGE_CACHE:-\${own:+$own/stowage/code:}$site/code}"
export LD_PRELOAD="\${STOWAGE_PRELOAD:-$site/lib/${libraries.preloaded}}\${LD_PRELOAD:+:$LD_PRELOAD}"
exec "$@"
`;
