import { createHash } from "node:crypto";
import { Redactor } from "../client/redact.ts";
import { hiddenValue } from "./hidden.ts";
import { type RecordedBytes, type RecordedHeader, valueOf } from "./recording.ts";

export interface KnownKey {
  readonly name: string;
  readonly keyId: string;
  readonly secret: string;
}

/** More keys than a client has; a flood of invented key ids must not fill the memory. */
const mostKeys = 100;
const mostSignatures = 10_000;

/**
 * Takes what is secret out of an exchange before it is written: known secrets, every key id that was seen, which becomes
 * the name of its key, and signatures, of which a digest tells whether two are the same.
 *
 * Known limits: a secret that nobody has named is not known, so it stays if a gateway echoes it; the key ids after the
 * hundredth are left out of their header only.
 */
export class KeyNames {
  readonly #names = new Map<string, string>();
  readonly #secrets: ReadonlyMap<string, string>;
  #redactor: Redactor;
  #signatures = 0;

  constructor(known: readonly KnownKey[]) {
    for (const { name, keyId } of known) this.#names.set(keyId, name);
    this.#secrets = new Map(known.map(({ name, secret }) => [`secret of ${name}`, secret]));
    this.#redactor = this.#renewed();
  }

  /** The name of the key of a request, which from now on stands for its id in every text. */
  nameOf(headers: readonly RecordedHeader[]): string | undefined {
    const keyId = valueOf(headers, "x-api-key") ?? "";
    if (keyId === "" || keyId === hiddenValue) return undefined;
    const known = this.#names.get(keyId);
    if (known !== undefined) return known;
    if (this.#names.size >= mostKeys) return "another-key";
    const name = `key-${this.#names.size + 1}`;
    this.#names.set(keyId, name);
    this.#redactor = this.#renewed();
    return name;
  }

  /** Undefined for a key whose secret nobody has told. */
  secretOf(key: string | undefined): string | undefined {
    return this.#secrets.get(`secret of ${key ?? ""}`);
  }

  headers(headers: readonly RecordedHeader[], key: string | undefined): RecordedHeader[] {
    const signature = valueOf(headers, "x-api-signature");
    if (signature !== undefined) this.#note(signature);
    return headers.map(([name, value]): RecordedHeader => {
      const lower = name.toLowerCase();
      if (value === hiddenValue) return [name, value];
      if (lower === "x-api-key") return [name, key ?? ""];
      if (lower === "x-api-signature") return [name, digestOf(value)];
      if (credentials.has(lower)) return [name, "(left out)"];
      return [name, this.text(value)];
    });
  }

  text(text: string): string {
    return this.#redactor.redact(text);
  }

  /** A target stays one that can be sent. */
  target(target: string): string {
    return this.text(target).replace(/[^!-~]/gu, encodeURIComponent);
  }

  /** Bytes that are no text cannot be searched, except for what they hold in base64. */
  body(body: RecordedBytes): RecordedBytes {
    if (body.text !== undefined) return { ...body, text: this.text(body.text) };
    return body.base64 === undefined || this.text(body.base64) === body.base64
      ? body
      : { length: body.length, cut: true };
  }

  #note(signature: string): void {
    this.#signatures += 1;
    if (this.#signatures % mostSignatures === 0) this.#redactor = this.#renewed();
    this.#redactor.noteSignature(signature);
  }

  #renewed(): Redactor {
    const ids = [...this.#names].map(([keyId, name]): [string, string] => [name, keyId]);
    return new Redactor(new Map([...this.#secrets, ...ids]));
  }
}

const credentials: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

/** Stands for a signature in a recording. */
export const digestOf = (value: string): string =>
  value === "" ? "" : `sha256:${createHash("sha256").update(value).digest("hex").slice(0, 16)}`;
