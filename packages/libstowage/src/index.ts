export { librarySources, type LibrarySources } from "./library-sources.js";
