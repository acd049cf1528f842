export {
  compiled,
  encodedShapeOf,
  hasPlainC,
  lineTouches,
  PLAIN_C,
  PLAIN_LOOPS,
  plainLoop,
  plainMemcpy,
  type EncodedShape,
  type Side,
} from "./plain-c.js";
