/// <reference lib="esnext.disposable" preserve="true" />
export type { BufferLike } from "./buffer-like.js";
export type { CallOptions, CombineOptions, RangeOptions, UnpackOptions, UnpackRangeOptions } from "./call-options.js";
export { checkOptions, type Rule, type Rules } from "./check-options.js";
export type { Candidate } from "./candidate.js";
export { askAll, chooseFirst, type Choice, type Choose } from "./choose.js";
export type { Course, Tier } from "./course.js";
export type { CommitOptions, LimitOptions } from "./commit-options.js";
export { Committed, type PackOrUnpack } from "./committed.js";
export { CommittedCopy } from "./committed-copy.js";
export type { CommitCopyOptions, CopyOptions } from "./copy-options.js";
export type { DatatypeLike } from "./datatype-like.js";
export { Engine } from "./engine.js";
export type { EngineSettings } from "./engine-settings.js";
export type { LoadOptions } from "./load-options.js";
export { requireBackends, requireNamed } from "./require-backends.js";
export type { Observer } from "./observe.js";
export { NoBackendError } from "./no-backend-error.js";
