import { report } from "./checks.mjs";
import "./reductions.mjs";

report();
