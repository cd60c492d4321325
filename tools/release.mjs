/**
 * `npm run release -- 0.2.0`: checks that the checkout can be released, writes the version and the date, commits and tags.
 * `--dry-run` does the checks, packs, prints the notes, and changes nothing. Publishing is a step of its own, printed at the end.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { at, root } from "./freshness.mjs";

const dryRun = process.argv.includes("--dry-run");
const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
const version = process.argv.slice(2).find((word) => !word.startsWith("-")) ?? manifest.version;
const run = (program, ...args) => execFileSync(program, args, { cwd: root, encoding: "utf8" }).trim();

/** Each is a sentence about what is wrong, or undefined. */
const checks = {
  "the version": () =>
    /^\d+\.\d+\.\d+$/.test(version)
      ? run("git", "tag", "--list", `v${version}`) && `v${version} is a tag already: choose the next version`
      : `${version} is not a version: write MAJOR.MINOR.PATCH`,
  "the checkout": () =>
    run("git", "status", "--porcelain") && "there are changes that are not committed: commit or stash them",
  "the changelog": () =>
    notes() === "" && "CHANGELOG.md has nothing below [Unreleased]: write what users have to know",
  "known weaknesses": audit,
  "the build": () =>
    spawnSync(process.execPath, [at("tools", "build.mjs"), "--clean", "--types"], { stdio: ["ignore", 2, 2] })
      .status !== 0 && "the build failed: see above",
};

/** What is below [Unreleased], in a user's words: the notes of the release. */
function notes() {
  const [, after = ""] = readFileSync(at("CHANGELOG.md"), "utf8").split("\n## [Unreleased]\n");
  return (after.split(/\n## \[/)[0] ?? "").trim();
}

/** Of what users install: the rest is compiled in, and comes with a release, so it is looked at, too. */
function audit() {
  const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: root, encoding: "utf8" });
  const { metadata, message } = JSON.parse(stdout || "{}");
  if (metadata === undefined) return `the registry could not be asked (${message ?? "no answer"}): try again`;
  const { high = 0, critical = 0 } = metadata.vulnerabilities;
  return high + critical > 0 && `npm audit finds ${high + critical} that are high or critical: update them`;
}

const found = Object.entries(checks).flatMap(([name, check]) => {
  const problem = check();
  console.error(`${name}: ${problem || "passed"}`);
  return problem ? [problem] : [];
});

const [{ filename, unpackedSize, entryCount }] = JSON.parse(
  run("npm", "pack", "--json", "--ignore-scripts", "--dry-run"),
);
console.error(`${filename}: ${(unpackedSize / 1e6).toFixed(2)} MB in ${entryCount} files`);

if (dryRun) console.log(`# ${version}\n\n${notes()}`);
if (found.length > 0) process.exitCode = 1;
else if (!dryRun) release();

function release() {
  const date = new Date().toISOString().slice(0, 10);
  const changelog = readFileSync(at("CHANGELOG.md"), "utf8");
  writeFileSync(
    at("CHANGELOG.md"),
    changelog.replace("\n## [Unreleased]\n", `\n## [Unreleased]\n\n## [${version}] - ${date}\n`),
  );
  run("npm", "version", version, "--no-git-tag-version", "--allow-same-version");
  run("git", "commit", "--all", "--message", `Release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Gatewright ${version}`);
  console.log(`v${version} is tagged. Then, where the tests of the tag have passed:
  git push --follow-tags
  npm publish --provenance`);
}
