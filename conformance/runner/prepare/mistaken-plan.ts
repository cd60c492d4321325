import { isList, isMap, type Value, type ValueMap } from "../../model/value.ts";
import { bodyHash, type CanonicalPart, canonicalOrder } from "../../signing/canonical-request.ts";
import { type Algorithm, canonicalParts, type SigningInput } from "../../signing/sign-request.ts";
import { plainPlan, type SignPlan } from "../../signing/tamper.ts";

/**
 * Turns a mistake of fixtures/signing/mistakes.yaml into a signing plan; undefined if the mistake is impossible for
 * this request. It supports the part of the vocabulary that the dialects use. A changed value of a header is sent as it
 * was signed.
 */
export function mistakenPlan(edit: ValueMap, input: SigningInput, prefix: string): SignPlan | undefined {
  const right = canonicalParts(input);
  const override: Partial<Record<CanonicalPart, string>> = {};
  for (const part of canonicalOrder) {
    if (edit[part] !== undefined) override[part] = changed(right[part], edit[part], prefix);
  }
  if (edit["body"] !== undefined) {
    const body = Buffer.from(input.body).toString("utf8");
    override.bodyHash = bodyHash(Buffer.from(changed(body, edit["body"], prefix), "utf8"));
  }
  const keyBytes = wordIn(decodings, edit["key"]);
  const cannotBe =
    Object.entries(override).some(([part, value]) => value === right[part as CanonicalPart]) ||
    (keyBytes !== undefined && !couldBe[keyBytes].test(input.secret));
  if (cannotBe) return undefined;
  const signature = wordIn(spellings, edit["signature"]);
  return {
    ...plainPlan,
    override,
    form: {
      order: (edit["order"] ?? canonicalOrder) as readonly CanonicalPart[],
      joiner: String(edit["joiner"] ?? "\n"),
      suffix: edit["text"] === undefined ? "" : changed("", edit["text"], prefix),
    },
    algorithm: wordIn(algorithms, edit["digest"]) ?? "sha256",
    ...(keyBytes === undefined ? {} : { keyBytes }),
    transform: signature === undefined ? [] : [signature],
  };
}

const decodings: Readonly<Record<string, "hex" | "base64">> = { fromHex: "hex", fromBase64: "base64" };
const couldBe = {
  hex: /^(?:[0-9a-f]{2}){8,}$/i,
  base64: /^(?=(?:.{4}){4,}$)[A-Za-z0-9+/]+={0,2}$/,
} as const;
const spellings: Readonly<Record<string, string>> = { upper: "upperHex", "fromHex,base64": "base64" };
const algorithms: Readonly<Record<string, Algorithm>> = {
  sha1: "sha1",
  sha512: "sha512",
  plainKeyFirst: "plain-sha256",
};

function wordIn<Meaning>(
  known: Readonly<Record<string, Meaning>>,
  words: Value | undefined,
): Meaning | undefined {
  if (words === undefined) return undefined;
  return known[String(words)] ?? unknown(words);
}

function changed(text: string, change: Value, prefix: string): string {
  return (isList(change) ? change : [change]).reduce<string>(
    (made, word) => carriedOut(made, word, prefix),
    text,
  );
}

function carriedOut(text: string, word: Value, prefix: string): string {
  if (word === "lower") return text.toLowerCase();
  if (word === "upper") return text.toUpperCase();
  if (word === "seconds") return String(Math.floor(Number(text) / 1000));
  const [name, argument = null] = isMap(word) ? (Object.entries(word)[0] ?? []) : [];
  if (name === "replace" && isList(argument))
    return text.replaceAll(String(argument[0]), String(argument[1]));
  const operand = String(argument).replace("<prefix>", prefix);
  if (name === "set") return operand;
  if (name === "prepend") return operand + text;
  if (name === "append") return text + operand;
  if (name === "cutStart") return text.startsWith(operand) ? text.slice(operand.length) : text;
  if (name === "cutEnd") return text.endsWith(operand) ? text.slice(0, -operand.length) : text;
  return unknown(word);
}

function unknown(word: Value): never {
  throw new Error(`the kit cannot sign with ${JSON.stringify(word)}`);
}
