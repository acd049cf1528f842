import { Command } from "commander";

export function profileCommand(): Command {
  const profile = new Command("profile").description(
    "what a machine's measured figures are: show one, or how two differ",
  );
  profile
    .command("show")
    .argument("[FILE]", "a profile; without one that by which engines choose here")
    .option("--json", "print as JSON")
    .action(async (file: string | undefined, options: object) => {
      const { showProfile } = await import("../profile/show-profile.js");
      showProfile(file, options);
    });
  profile
    .command("diff")
    .argument("BEFORE", "a profile")
    .argument("AFTER", "another")
    .option("--json", "print as JSON")
    .action(async (before: string, after: string, options: object) => {
      const { diffProfiles } = await import("../profile/show-profile.js");
      diffProfiles(before, after, options);
    });
  return profile;
}
