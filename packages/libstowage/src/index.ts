export { codeSources, librarySources, type LibrarySources } from "./library-sources.js";
export { LIBRARY_VERSION } from "./library-version.js";
