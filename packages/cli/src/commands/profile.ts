import { Command } from "commander";
import { jsonOption } from "../options/checked-option.js";

export function profileCommand(): Command {
  const profile = new Command("profile").description("show a machine's measured figures, or compare two machines'");
  profile
    .command("show")
    .description("print the figures of a profile")
    .argument("[FILE]", "a profile (default: the one that engines choose by here)")
    .addOption(jsonOption())
    .action(async (file: string | undefined, options: object) => {
      const { showProfile } = await import("../profile/show-profile.js");
      showProfile(file, options);
    });
  profile
    .command("diff")
    .description("print the figures by which two profiles differ")
    .argument("<BEFORE>", "a profile")
    .argument("<AFTER>", "another")
    .addOption(jsonOption())
    .action(async (before: string, after: string, options: object) => {
      const { diffProfiles } = await import("../profile/show-profile.js");
      diffProfiles(before, after, options);
    });
  return profile;
}
