export { BY_BTL_TCP, launchBetween, type Launcher } from "./launch.js";
export { canHaveHosts, TestHosts, type Ended } from "./test-hosts.js";
