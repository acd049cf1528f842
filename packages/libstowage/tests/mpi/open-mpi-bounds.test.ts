import { describeBounds } from "./describe-bounds.js";

describeBounds("openmpi");
