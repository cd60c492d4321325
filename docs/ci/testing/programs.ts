/** The programs that a job of a pipeline finds: this checkout as `gatewright`, and npm without a registry. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const program = `#!/bin/sh\nexec "${process.execPath}" "${path.resolve("bin", "gatewright")}" "$@"\n`;

/** A folder with the program of this checkout under its name, for PATH. */
export function installedProgram(): string {
  const folder = newFolder();
  writeScript(path.join(folder, "gatewright"), program);
  return folder;
}

let packed: Uint8Array | undefined;

/** A tarball as `npm pack` makes one, for a real `npm install`. Its program is that of this checkout. */
export function packedProgram(): Uint8Array {
  packed ??= pack();
  return packed;
}

function pack(): Uint8Array {
  const folder = path.join(newFolder(), "package");
  mkdirSync(folder);
  const manifest = { name: "gatewright", version: "0.1.0", bin: { gatewright: "gatewright" } };
  writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
  writeScript(path.join(folder, "gatewright"), program);
  return execFileSync("tar", ["-czf", "-", "package"], { cwd: path.dirname(folder) });
}

let names: string | undefined;

/** An environment in which nothing is called by a name that a registry resolves. */
export function withoutRegistry(): Record<string, string> {
  const folder = (names ??= namesFolder());
  return { PATH: `${folder}${path.delimiter}${process.env["PATH"] ?? ""}`, npm_config_offline: "true" };
}

function namesFolder(): string {
  const folder = newFolder();
  for (const name of ["npx", "gatewright"]) writeScript(path.join(folder, name), "#!/bin/sh\nexit 97\n");
  writeScript(path.join(folder, "npm"), npmIn(folder));
  return folder;
}

/** Each job installs the same package, which takes npm a second. It does so once, and later jobs get a copy. */
const npmIn = (folder: string): string => `#!/bin/sh
PATH='${process.env["PATH"]}'
[ "$1 $2" = "install --prefix" ] || exec npm "$@"
to=$3
shift 3
kept=${folder}/installed-$(printf %s "$*" | sed "s|$PWD|.|g" | cksum | tr -d ' ')
[ -d "$kept" ] || npm install --prefix "$kept" "$@" || exit
mkdir -p "$to" && cp -a "$kept/." "$to"
`;

function writeScript(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), "gatewright-ci-"));
