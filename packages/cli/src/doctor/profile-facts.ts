import { findProfile } from "@stowage/selector";
import type { Fact } from "./machine-facts.js";

/** By which figures backends are chosen here, and whether they are this machine's. */
export function profileFacts(): readonly Fact[] {
  const { path, remarks } = findProfile();
  return [{ name: "profile", finding: remarks.length > 0 ? remarks.join("; ") : (path ?? "shipped figures") }];
}
