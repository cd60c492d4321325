import { type Exchange, textOf } from "../model/exchange.ts";
import type { RowResult } from "../model/outcome.ts";
import type { Profile } from "../model/profile.ts";

export const secretWatch = "P-34";

/**
 * P-34: no answer contains a secret. It checks the answers to the other properties and sends nothing itself.
 * Oracle: none of the configured secrets occurs in any header or body, plain, in hex, in base64, backwards or
 * percent-encoded. A finding names the request and the spelling, never the secret. The clause behind it cannot be
 * tested as a whole from outside, so a finding is a warning.
 */
export class SecretWatch {
  readonly id = secretWatch;
  readonly spec = ["AUTH-35"];
  readonly #spellings: readonly (readonly [string, string])[];
  readonly #leaks = new Map<string, string>();
  #answers = 0;

  constructor(profile: Profile) {
    const secrets = Object.values(profile.credentials).map(({ role, secret }) => [role, secret] as const);
    this.#spellings = secrets
      .filter(([, secret]) => secret.length >= 8)
      .flatMap(([role, secret]) =>
        spellingsOf(secret).map(([how, text]) => [`${role}, ${how}`, text] as const),
      );
  }

  readonly see = ({ reply, request, stream }: Exchange): void => {
    if (reply === undefined && stream === undefined) return;
    this.#answers += 1;
    const body = reply?.body ?? stream?.body ?? new Uint8Array();
    const text = `${(reply?.headers ?? []).flat().join("\n")}\n${textOf(body)}`;
    for (const [name, spelling] of this.#spellings)
      if (text.includes(spelling) && !this.#leaks.has(name))
        this.#leaks.set(name, `${request.method} ${request.path.split("?")[0] ?? ""}`);
  };

  row(): RowResult {
    const position = { file: "property P-34", line: 1, column: 1 };
    const findings = [...this.#leaks].map(([name, request]) => ({
      pointer: "",
      expected: "no secret in any answer",
      actual: `the secret of ${name}`,
      strength: "should" as const,
      severity: "warn" as const,
      clauses: this.spec,
      step: "every answer",
      position,
      request,
    }));
    return {
      id: this.id,
      title: "Secrets appear in no answer",
      outcome: findings.length > 0 ? "warned" : this.#answers > 0 ? "passed" : "blocked",
      clauses: this.spec,
      findings,
      observations: { answers: String(this.#answers) },
      ...(this.#answers > 0 ? {} : { reason: "there was no answer to check" }),
      durationMs: 0,
      place: "property P-34",
    };
  }
}

function spellingsOf(secret: string): (readonly [string, string])[] {
  const bytes = Buffer.from(secret, "utf8");
  const candidates: readonly (readonly [string, string])[] = [
    ["plain", secret],
    ["hex", bytes.toString("hex")],
    ["base64", bytes.toString("base64").replace(/=+$/, "")],
    ["backwards", [...secret].reverse().join("")],
    ["percent-encoded", encodeURIComponent(secret)],
  ];
  return candidates.filter(
    ([, text], index) => candidates.findIndex(([, earlier]) => earlier === text) === index,
  );
}
