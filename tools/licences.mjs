/**
 * The licences of the packages that a build has bundled, as one text: each licence once, with the packages under it and
 * their notices of copyright. A package without a file of its licence is listed with what its manifest says.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ofModule = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
/** They ask for a notice at most, which this text is. */
const permissive = /\b(MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0)\b/;
const isNotice = (line) => /^\s*(Copyright (?!\[)|© )/.test(line);

/** `modules` are the files that went into the bundles. */
export function licencesOf(modules) {
  const folders = new Set(
    modules.flatMap((file) => ofModule.exec(file.replaceAll("\\", "/").replace(/^\0/, ""))?.[1] ?? []),
  );
  const licences = new Map();
  for (const folder of [...folders].sort((a, b) => a.localeCompare(b))) {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    if (!permissive.test(license))
      throw new Error(
        `${name} has the licence ${license}: take another package, or add it in tools/licences.mjs`,
      );
    const texts = readdirSync(folder)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(path.join(folder, file), "utf8"));
    const lines = texts.join("\n").split(/\r?\n/);
    const terms =
      lines
        .filter((line) => !isNotice(line))
        .join("\n")
        .trim() || `Licence: ${license}`;
    // Packages wrap and indent the same words in their own ways; some leave out the appendix of Apache's.
    const words = license === "Apache-2.0" ? license : terms.replace(/\s+/g, " ").toLowerCase();
    const { holders } = licences.get(words) ?? licences.set(words, { terms, holders: [] }).get(words);
    holders.push([`${name} ${version}`, ...lines.filter(isNotice).map((line) => line.trim())].join("\n  "));
  }
  return [...licences.values()]
    .map(({ terms, holders }) => `${holders.join("\n")}\n\n${terms}\n`)
    .join(`\n${"-".repeat(80)}\n\n`);
}
