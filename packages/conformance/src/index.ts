export { describeBackend } from "./describe-backend.js";
export * from "./laws-alone.js";
