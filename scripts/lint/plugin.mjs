import commentWidth from "./comment-width.mjs";
import literalThresholds from "./literal-thresholds.mjs";

/** The rules of our own. */
export default {
  meta: { name: "stowage" },
  rules: { "comment-width": commentWidth, "literal-thresholds": literalThresholds },
};
