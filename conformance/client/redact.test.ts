import { createHmac } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { Credential } from "../model/credential.ts";
import { Redactor, unsearchable } from "./redact.ts";

const secret = `s3cr/t+"quo<ted>" & ümlaut\\n`;
const signature = createHmac("sha256", secret).update("canonical").digest("hex");
const redactor = new Redactor(new Map([["trader.secret", secret]]), ["kid_local_trader"]);
redactor.noteSignature(signature);

const bytes = Buffer.from(secret, "utf8");
const json = JSON.stringify(secret).slice(1, -1);
const units = Array.from({ length: secret.length }, (_, at) => secret.charCodeAt(at));

describe("a secret that a target echoes", () => {
  const spellings: readonly (readonly [string, string])[] = [
    ["plain", secret],
    ["hex", bytes.toString("hex")],
    ["upper-case hex", bytes.toString("hex").toUpperCase()],
    ["hex with colons", bytes.toString("hex").replace(/(..)(?=.)/g, "$1:")],
    ["base64", bytes.toString("base64")],
    ["base64url", bytes.toString("base64url")],
    ["base64 behind one byte", Buffer.concat([Buffer.from("x"), bytes, Buffer.from("y")]).toString("base64")],
    ["base64 behind two bytes", Buffer.concat([Buffer.from("xx"), bytes]).toString("base64")],
    ["URL-encoded", encodeURIComponent(secret)],
    ["URL-encoded in lower case", encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ["every byte URL-encoded", bytes.toString("hex").replace(/../g, "%$&")],
    ["escaped in JSON", json],
    ["escaped in JSON within JSON", JSON.stringify(json).slice(1, -1)],
    ["JSON with an escaped slash", json.replaceAll("/", "\\/")],
    [
      "escaped in HTML",
      secret
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;"),
    ],
    ["as \\u escapes", units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")],
    ["as character references", units.map((unit) => `&#${unit};`).join("")],
  ];
  it.each(spellings)("is hidden when it is echoed %s", (_, text) => {
    const hostile = `before ${text} after`;
    expect(redactor.finds(hostile)).toBe(true);
    const shown = redactor.redact(hostile);
    expect(shown).toMatch(/^before .*«trader\.secret».* after$/s);
    expect(redactor.finds(shown)).toBe(false);
  });

  it("is hidden in names of properties and at any depth", () => {
    const shown = JSON.stringify(
      redactor.redactDeep({ a: [{ [secret]: [`x${secret}`] }], n: 1, none: null }),
    );
    expect(shown).toBe('{"a":[{"«trader.secret»":["x«trader.secret»"]}],"n":1,"none":null}');
  });

  it("is hidden in one of many texts, and the others stay", () => {
    const texts = Array.from({ length: 1000 }, (_, index) => `text ${index}`);
    const half = secret.slice(0, 12);
    const shown = redactor.redactDeep([...texts, half, secret.slice(12), secret, ...texts]);
    expect(shown).toEqual([...texts, half, secret.slice(12), "«trader.secret»", ...texts]);
    expect(redactor.redactDeep(texts)).toEqual(texts);
  });
});

describe("signatures and key ids", () => {
  it("keep eight digits, at any place of the signature", () => {
    const short = `${signature.slice(0, 8)}…`;
    expect(redactor.redact(`got ab${signature}cd.`)).toBe(`got ab${short}cd.`);
    expect(redactor.redact(signature.toUpperCase())).toBe(short.toUpperCase());
    const base64 = Buffer.from(signature, "hex").toString("base64");
    expect(redactor.redact(`got ${base64} there`)).toBe(`got ${base64.slice(0, 8)}…= there`);
    expect(redactor.finds(`x${signature}y`)).toBe(true);
  });

  it.each(sampled(4, ["0", "a", "Z", "7", "\\", '"', "é"]))(
    "are found in a run of eight million %j",
    (letter) => {
      const run = letter.repeat(8_000_000) + signature;
      expect(redactor.finds(run)).toBe(true);
      expect(redactor.redact(run)).toBe(letter.repeat(8_000_000) + signature.slice(0, 8) + "…");
    },
  );

  const echoes: readonly (readonly [string, string])[] = [
    ["with colons", signature.replace(/../g, "$&:")],
    ["with blanks", signature.replace(/../g, "$& ")],
    ["with percent signs", signature.replace(/../g, "%$&")],
    ["in lines", signature.replace(/.{16}/g, "$&\r\n  ")],
    ["in upper case with hyphens", signature.toUpperCase().replace(/..../g, "$&-")],
    ["without its first digit", signature.slice(1)],
    ["without its last digit", signature.slice(0, -1)],
    ["without a digit in the middle", signature.slice(0, 31) + signature.slice(32)],
    ["behind half of another", "0123abcd".repeat(4) + signature.slice(8)],
    ["as base64 in lines", Buffer.from(signature, "hex").toString("base64").replace(/.{20}/g, "$&\n")],
  ];
  it.each(echoes)("are found when they are echoed %s", (_, echo) => {
    expect(redactor.finds(`got ${echo} there`)).toBe(true);
    const shown = redactor.redact(`got ${echo} there`);
    expect(redactor.finds(shown)).toBe(false);
    const left = shown.toLowerCase().replace(/[^0-9a-f]/g, "");
    expect(left).not.toContain(signature.slice(20, 36));
    expect(shown).toMatch(/^got .* there$/s);
  });

  it("are found in the other case, too, when the kit itself sent them so", () => {
    const loud = new Redactor(new Map());
    loud.noteSignature(signature.toUpperCase());
    expect(loud.redact(`got ${signature}`)).toBe(`got ${signature.slice(0, 8)}…`);
  });

  it("leave no half behind where a long text is cut", () => {
    for (let shift = 0; shift < 3000; shift += 37) {
      const text = `${"x".repeat(shift)}${signature}${"y".repeat(5000)}${secret}${"z".repeat(50_000)}`;
      const shown = redactor.redactStart(text, 1000);
      expect(shown.length).toBeLessThanOrEqual(1001);
      expect(shown).not.toMatch(new RegExp(signature.slice(4, 12)));
      for (let at = 0; at + 6 <= secret.length; at += 1)
        expect(shown).not.toContain(secret.slice(at, at + 6));
    }
  });

  it("hide the whole text when it cannot be searched", () => {
    const broken = vi.spyOn(String.prototype, "replaceAll").mockImplementation(() => {
      throw new RangeError("injected");
    });
    try {
      expect(redactor.redact(`a text with ${secret}`)).toBe(unsearchable);
    } finally {
      broken.mockRestore();
    }
  });

  it("leave other digests alone, because a reader compares body hashes", () => {
    const hash = "0123456789abcdef".repeat(4);
    expect(redactor.redact(hash)).toBe(hash);
    expect(redactor.redact(`"X-API-SIGNATURE":"${hash}"`)).toBe('"X-API-SIGNATURE":"01234567…"');
    expect(redactor.redact(`X-API-SIGNATURE: ${hash}`)).toBe("X-API-SIGNATURE: 01234567…");
  });

  it("keep four characters of a key id", () => {
    expect(redactor.redact("X-API-KEY: kid_local_trader")).toBe("X-API-KEY: kid_…");
  });
});

describe("a credential", () => {
  const credential = new Credential({
    role: "trader",
    keyId: "kid_local_trader",
    secret,
    claims: [],
    client: "A",
  });
  it("prints no secret, however it is printed", () => {
    for (const text of [
      `${credential.toString()}`,
      JSON.stringify({ credential }),
      inspect({ credential }, { depth: 9, showHidden: true }),
    ]) {
      expect(text).toContain("«trader.secret»");
      expect(redactor.finds(text)).toBe(false);
    }
    expect(credential.secret).toBe(secret);
    expect(Object.keys(credential)).not.toContain("secret");
  });
});
