export { explorerPage, reportPage } from "./pages.js";
export type { ReportChange, ReportData, ReportRow, ReportRun } from "./report/report-data.js";
