import { readFileSync } from "node:fs";
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { Parser, type Result } from "tap-parser";
import { validateXML } from "xmllint-wasm";

/** Third-party readers of reports: the tests check what such a reader finds in a report. */
export async function xmlProblems(...reports: readonly string[]): Promise<string[]> {
  const schema = readFileSync(new URL("junit.xsd", import.meta.url), "utf8");
  const { errors } = await validateXML({
    xml: reports.map((contents, at) => ({ fileName: `junit-${at}.xml`, contents })),
    schema: [{ fileName: "junit.xsd", contents: schema }],
  });
  return errors.map(({ message }) => message);
}

export interface TapReading {
  readonly ok: boolean;
  readonly points: readonly Result[];
  readonly failures: readonly unknown[];
  /** Lines that the parser ignored. */
  readonly extra: string;
}

export function readTap(text: string): TapReading {
  const points: Result[] = [];
  let extra = "";
  const parser = new Parser({ strict: true });
  parser.on("assert", (point: Result) => points.push(point));
  parser.on("extra", (line: string) => {
    extra += line;
  });
  parser.end(text);
  return { ok: parser.ok, points, failures: parser.failures, extra };
}

type Node = DefaultTreeAdapterMap["node"];

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Every element of a page, as a browser creates them. */
export function elementsOf(page: string): Element[] {
  const found: Element[] = [];
  const walk = (node: Node): string => {
    if ("value" in node) return node.value;
    const place = "tagName" in node ? found.push({ name: node.tagName, attributes: {}, text: "" }) - 1 : -1;
    const text = "childNodes" in node ? node.childNodes.map(walk).join("") : "";
    if ("tagName" in node) {
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]));
      found[place] = { name: node.tagName, attributes, text };
    }
    return text;
  };
  walk(parse(page));
  return found;
}
