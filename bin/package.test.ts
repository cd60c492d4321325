import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The package as a user installs it. Overrides are not part of it: npm reads those of the installing project. */
interface Entry {
  readonly engines?: { readonly node?: string };
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly peer?: boolean;
  readonly license?: string;
}

const read = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8")) as T;
const manifest = read<{ readonly overrides?: object; readonly engines: { readonly node: string } }>(
  "package.json",
);
const { packages } = read<{ readonly packages: Readonly<Record<string, Entry>> }>("package-lock.json");

/** The oldest release of each line that we name, and the newest of each line that is known here. */
const supported = ["20.20.2", "20.99.0", "22.14.0", "22.99.0", "24.0.0", "26.0.0"];

/** The forms of a range that packages use here; another one is an error, not a guess. */
function allows(range: string, version: string): boolean {
  const have = numbers(version);
  return range.split("||").some((part) => {
    const [, sign = "", text = ""] = /^\s*(\^|>=)?\s*(\*|[\dx.]+)\s*$/.exec(part) ?? [];
    if (text === "") throw new Error(`the range ${range} has a form that this test does not know`);
    const want = text === "*" ? [0, 0, 0] : numbers(text);
    if (sign === ">=" || text === "*") return compare(have, want) >= 0;
    return have[0] === want[0] && compare(have, want) >= 0;
  });
}

const numbers = (version: string): number[] =>
  version.split(".").map((part) => (part === "x" ? 0 : Number(part)));

function compare(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < 3; at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

describe("the installed package", () => {
  it("rests on no override, which would hold in this checkout alone", () => {
    expect(manifest.overrides).toBeUndefined();
  });

  it("brings nothing but permissive licences", () => {
    const permissive = /\b(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0)\b/;
    const others = Object.entries(packages).filter(
      ([where, { dev, license }]) => where !== "" && dev !== true && !permissive.test(license ?? ""),
    );
    expect(others.map(([where, { license }]) => `${where}: ${license}`)).toEqual([]);
  });

  it.each(supported)("brings nothing that refuses Node %s", (version) => {
    expect(allows(manifest.engines.node, version)).toBe(true);
    const refusing = Object.entries(packages).filter(
      ([where, { dev, optional, engines }]) =>
        where !== "" && dev !== true && optional !== true && !allows(engines?.node ?? "*", version),
    );
    expect(refusing.map(([where, { engines }]) => `${where}: ${engines?.node}`)).toEqual([]);
  });
});
