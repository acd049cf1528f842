export { explorerPage } from "./explorer-page.js";
