/**
 * The controls as functions: `control.clock.advance({ ms: 60_000 })` for `gatewright ctl clock advance 1m`. Their types
 * are in `library-types.ts`, made from the same declarations. Each is a request to the control surface, so a test does
 * what any other program could do.
 */

import { allControls, type ControlLibrary } from "./all-controls.ts";
import { verbsOf } from "./verb.ts";
import type { ControlVerb, Values } from "./verb-types.ts";

/** Where the control surface answers, and what it asks for. */
export interface ControlAccess {
  readonly url: string;
  readonly token: string;
}

/** A control that was refused; nothing was done. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefusal";
  /** HTTP status. */
  readonly status: number;
  /** `CLOCK_IS_REAL`, for example. */
  readonly code: string;
  readonly details: readonly unknown[];

  constructor(status: number, { message, code, details }: Envelope) {
    super(message ?? `the control surface answered ${status}`);
    this.status = status;
    this.code = code ?? "";
    this.details = details ?? [];
  }
}

interface Envelope {
  readonly data?: unknown;
  readonly message?: string;
  readonly code?: string;
  readonly details?: readonly unknown[];
}

type Control = (values?: Values) => Promise<unknown>;
type Nouns = Record<string, Record<string, Control>>;

let verbs: readonly ControlVerb[] | null = null;

/** Every verb, in the order of the help text. They are made once: each sandbox of a process has the same. */
export const controlVerbs = (): readonly ControlVerb[] => (verbs ??= allControls.flatMap(verbsOf));

export function controlLibrary(access: ControlAccess): ControlAccess & ControlLibrary {
  const nouns: Nouns = {};
  for (const verb of controlVerbs()) {
    const { noun, action } = namesOf(verb);
    (nouns[noun] ??= {})[action] = (values = {}) => send(access, verb, values);
  }
  // as: a test holds the generated types against the verbs, from which both are made.
  return { ...access, ...nouns } as unknown as ControlAccess & ControlLibrary;
}

/** `product halt` is `product.halt`, and a single word is read: `clock` is `clock.read`. */
export function namesOf({ words }: Pick<ControlVerb, "words">): {
  readonly noun: string;
  readonly action: string;
} {
  const [noun = "", action = "read"] = words.split(" ");
  return { noun: camel(noun), action: camel(action) };
}

/** The name of a value beside its verb: `order` for `until.order`, and `ms` for the `advanceMs` of `clock advance`. */
export function nameOf(member: string, { words }: Pick<ControlVerb, "words">): string {
  const name = member.split(".").at(-1) ?? "";
  const [, action = ""] = words.split(" ");
  const rest = name.startsWith(action) ? name.slice(action.length) : "";
  // A word ends here: `confirmations` is not `confirm` and something else.
  return action === "" || !/^[A-Z]/.test(rest) ? name : rest.charAt(0).toLowerCase() + rest.slice(1);
}

const camel = (words: string): string =>
  words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

async function send({ url, token }: ControlAccess, verb: ControlVerb, values: Values): Promise<unknown> {
  const members = new Map([...verb.args, ...verb.flags].map(({ name }) => [nameOf(name, verb), name]));
  const named = Object.entries(values).map(([name, value]) => [members.get(name) ?? name, value] as const);
  const { path, body } = verb.request(Object.fromEntries(named));
  const response = await fetch(url + path, {
    method: verb.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: "error",
  });
  // as: the envelope of this simulator.
  const envelope = (await response.json()) as Envelope;
  if (!response.ok) throw new ControlRefusal(response.status, envelope);
  return envelope.data;
}
