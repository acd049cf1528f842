export { explorerPage, reportPage } from "./pages.js";
export { distinctColours, ON_WHITE } from "./report/distinct-colours.js";
export type { ReportChange, ReportData, ReportRow, ReportRun } from "./report/report-data.js";
