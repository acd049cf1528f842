export { cacheFolders } from "./cache/cache-folders.js";
export { CodeCache, type CachedFile } from "./cache/code-cache.js";
export { datatypeOf } from "./description/datatype-of.js";
export { InterposerError } from "./errors.js";
export { startService, type RunningService } from "./service/start-service.js";
