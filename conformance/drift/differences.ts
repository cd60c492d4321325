import type { Facts, Observed } from "./observe.ts";

/** Something that a client would notice, with every case in which it was seen. */
export interface TargetDifference {
  /** Request and place: `POST placeOrder #/data/order/status`. Entries of an accepted list name it. */
  readonly where: string;
  readonly kind: "status" | "shape" | "value" | "events";
  readonly a: string;
  readonly b: string;
  readonly cases: readonly string[];
}

/** The same difference in several cases is one. */
export function differencesIn(
  cases: ReadonlyMap<string, { readonly a: Observed; readonly b: Observed }>,
): TargetDifference[] {
  const found = new Map<string, TargetDifference>();
  for (const [id, { a, b }] of cases)
    for (const seen of ofCase(a, b)) {
      const key = [seen.where, seen.a, seen.b].join("\n");
      const known = found.get(key)?.cases ?? [];
      found.set(key, { ...seen, cases: known.includes(id) ? known : [...known, id] });
    }
  return [...found.values()].toSorted(
    (one, other) => order.indexOf(one.kind) - order.indexOf(other.kind) || (one.where < other.where ? -1 : 1),
  );
}

const order: readonly TargetDifference["kind"][] = ["status", "shape", "value", "events"];

/** Where a case ended early, the answer that ended it is the difference, and not the requests that were not sent after it. */
function ofCase(a: Observed, b: Observed): Omit<TargetDifference, "cases">[] {
  const all = [...new Set([...a.keys(), ...b.keys()])].flatMap((name) =>
    paired(a.get(name) ?? [], b.get(name) ?? []).flatMap(([one, other]) => between(name, one, other)),
  );
  const answered = all.filter((one) => one.a !== unasked && one.b !== unasked);
  return answered.length > 0 ? answered : all;
}

const unasked = "not asked";

/** Answers to requests at once have no order: those that are alike belong together. */
function paired(
  a: readonly Facts[],
  b: readonly Facts[],
): (readonly [Facts | undefined, Facts | undefined])[] {
  const spelled = (facts: Facts): string =>
    [...facts]
      .map((fact) => fact.join("="))
      .toSorted()
      .join("\n");
  const rest = [...b];
  const alone = a.filter((facts) => {
    const at = rest.findIndex((other) => spelled(other) === spelled(facts));
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
  return Array.from({ length: Math.max(alone.length, rest.length) }, (_, at) => [alone[at], rest[at]]);
}

function between(
  name: string,
  a: Facts | undefined,
  b: Facts | undefined,
): Omit<TargetDifference, "cases">[] {
  // The role of the client makes no other difference.
  const request = name.replace(/ as \w+$/, "");
  if (a === undefined || b === undefined)
    return [
      {
        where: request,
        kind: name === "stream" ? "events" : "status",
        a: a === undefined ? unasked : "asked",
        b: b === undefined ? unasked : "asked",
      },
    ];
  const [one, other] = [a.get("status"), b.get("status")];
  // After another status everything else is another body.
  if (one !== other) return [{ where: `${request} status`, kind: "status", a: statusOf(a), b: statusOf(b) }];
  return [...new Set([...a.keys(), ...b.keys()])].flatMap((place) => {
    const [here, there] = [a.get(place) ?? "absent", b.get(place) ?? "absent"];
    return same(place, here, there, a, b)
      ? []
      : [{ where: `${request} ${place}`, kind: kindOf(name, place, here, there), a: here, b: there }];
  });
}

const statusOf = (facts: Facts): string => facts.get("status") ?? facts.get("answer") ?? "absent";

function same(place: string, here: string, there: string, a: Facts, b: Facts): boolean {
  if (here === there) return true;
  const list = /^(.*?)\/\*/.exec(place)?.[1];
  const isMessage = !place.startsWith("#") && place.includes(" #");
  if (list === undefined && !isMessage) return insideOther(place, a, b);
  // Elements and messages that only one target had say nothing about the other.
  const root = list === undefined ? (place.split("/")[0] ?? "") : `${list}/*`;
  const has = (facts: Facts): boolean => [...facts.keys()].some((key) => key.startsWith(root));
  if (!has(a) || !has(b)) return true;
  // One that is sometimes null is no other shape than one that never was.
  const [left, right] = [here.split(" or "), there.split(" or ")].map((kinds) =>
    kinds.filter((kind) => kind !== "null"),
  );
  if (here === "absent" || there === "absent") return false;
  return left?.length === 0 || right?.length === 0 || left?.some((kind) => right?.includes(kind)) === true;
}

/** A part of what is absent, or of another kind, on one side: its whole is the difference. */
function insideOther(place: string, a: Facts, b: Facts): boolean {
  for (let cut = place.lastIndexOf("/"); cut > 0; cut = place.lastIndexOf("/", cut - 1)) {
    const whole = place.slice(0, cut);
    if (a.get(whole) !== b.get(whole)) return true;
  }
  return false;
}

function kindOf(name: string, place: string, here: string, there: string): TargetDifference["kind"] {
  if (name === "stream") return "events";
  const both = here.startsWith("text: ") && there.startsWith("text: ");
  const flags = ["true", "false"];
  return both || (flags.includes(here) && flags.includes(there)) || place === "content-type"
    ? "value"
    : "shape";
}
