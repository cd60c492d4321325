import { credentialRoles } from "../contract/vocabulary.ts";
import { UsageError } from "../model/position.ts";
import { didYouMean } from "../model/suggest.ts";

/** The names of the demo keys that are no roles themselves. */
const demoKeys: Readonly<Record<string, string>> = {
  other: "otherClient",
  "market-data": "noClaim",
  disabled: "revoked",
};

/** A key without a known name has the first of these roles that is free. */
const guesses = ["trader", "otherClient", "counterparty", "reader"] as const;

/** Which role of a profile each key of a recording has. */
export class Roles {
  readonly #roles = new Map<string, string>();
  readonly guessed: string[] = [];

  /** `given`: `key-1=reader`, from the command line. */
  constructor(keys: readonly string[], given: readonly string[] = []) {
    for (const one of given) this.#give(one);
    for (const key of keys) {
      const role = roleNamed(key);
      if (role !== undefined && !this.#roles.has(key)) this.#roles.set(key, role);
    }
    for (const key of keys) {
      if (this.#roles.has(key)) continue;
      const taken = [...this.#roles.values()];
      const role = guesses.find((guess) => !taken.includes(guess)) ?? "otherClient";
      this.#roles.set(key, role);
      this.guessed.push(`the key ${key} is written as ${role}; --role ${key}=NAME changes that`);
    }
  }

  of(key: string | undefined): string {
    return (key === undefined ? undefined : this.#roles.get(key)) ?? "trader";
  }

  #give(one: string): void {
    const [, key = "", role = ""] = /^([^=]+)=(\w+)$/.exec(one) ?? [];
    if (key === "") throw new UsageError(`--role ${one}: write the key and its role, as in key-1=trader`);
    if (!credentialRoles.some((known) => known === role) && !/^x[A-Z-]/.test(role))
      throw new UsageError(
        `--role ${one}: there is no role "${role}": ${didYouMean(role, credentialRoles) ?? `use ${credentialRoles.join(", ")}`}`,
      );
    this.#roles.set(key, role);
  }
}

function roleNamed(key: string): string | undefined {
  const camel = key.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const role = (Object.hasOwn(demoKeys, key) ? demoKeys[key] : undefined) ?? camel;
  return credentialRoles.find((known) => known === role);
}
