import { describeProgram } from "../describe-programs.js";

// The whole suite with every message by the MPI's own types, every message packed by ours, and half the ranks each.
describeProgram("everything", [1, 2, 4], {
  "by native types": { STOWAGE_TEST_ROUTE: "native" },
  "by ours": { STOWAGE_TEST_ROUTE: "packed" },
  "by either, rank by rank": { STOWAGE_TEST_ROUTE: "mixed" },
});
