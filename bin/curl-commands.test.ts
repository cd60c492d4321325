/** curl obeys http_proxy for this machine, too: every command that we print or document says that it must not. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const pages = [
  "README.md",
  ...readdirSync(path.join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|sh)$/.test(name))
    .map((name) => `docs/${name}`),
];

/** The commands of a text, whole: curl with an option or an address, to the end of its last line. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/(?:^|[\s(`])curl (?:-|http|'http)(?:\\\n|[^\n`])*/g)].map(([command]) => command.trim());

const toThisMachine = /127\.0\.0\.1|localhost|\$BASE|\$\{?host/;

describe.each(pages)("%s", (page) => {
  it("reaches this machine without a proxy", () => {
    const commands = commandsIn(readFileSync(path.join(root, page), "utf8"));
    for (const command of commands.filter((each) => toThisMachine.test(each)))
      expect(command).toMatch(/--noproxy ('\*'|localhost,127\.0\.0\.1,::1)/);
  });
});

it("finds the commands", () => {
  const found = (page: string): number => commandsIn(readFileSync(path.join(root, page), "utf8")).length;
  for (const page of ["README.md", "docs/control.md", "docs/signing.md", "docs/clients/curl.sh"])
    expect([page, found(page) > 0]).toEqual([page, true]);
});
