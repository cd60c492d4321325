/**
 * Removes secrets from everything that is written. Value-based, in every spelling a target may echo one in: plain,
 * hex, base64, URL-encoded and escaped in JSON. Signatures are replay material within the clock tolerance, so only
 * their first eight digits stay.
 */
export class Redactor {
  readonly #replacements: readonly (readonly [string, string])[];

  constructor(secrets: ReadonlyMap<string, string>) {
    const pairs = [...secrets].flatMap(([name, secret]) =>
      secret.length < 4 ? [] : spellings(secret).map((text) => [text, `«${name}»`] as const),
    );
    this.#replacements = pairs.sort(([a], [b]) => b.length - a.length);
  }

  redact(text: string): string {
    const hidden = this.#replacements.reduce(
      (result, [secret, name]) => result.replaceAll(secret, name),
      text,
    );
    return hidden.replace(/(signature"?\s*[:=]\s*"?)([0-9a-f]{8})[0-9a-f]{56}/gi, "$1$2…");
  }

  finds(text: string): boolean {
    return this.#replacements.some(([secret]) => text.includes(secret));
  }
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const base64 = [0, 1, 2].map((shift) => base64At(bytes, shift)).filter((text) => text.length >= 8);
  const hex = bytes.toString("hex");
  return [
    ...new Set([
      secret,
      hex,
      hex.toUpperCase(),
      bytes.toString("base64"),
      bytes.toString("base64url"),
      ...base64,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
    ]),
  ];
}

/** The characters of a base64 text that depend on the secret alone when it starts at this offset of a triple. */
function base64At(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replace(/=+$/, "");
  const start = Math.ceil((shift * 8) / 6);
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(start, whole);
}
