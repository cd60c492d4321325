/**
 * The points of a hostile venue, of which a seed activates a part. A point is a freedom with an option that is not the
 * default, or one fault of the network or of a busy gateway. Each is something that a client meets sooner or later.
 */
import { createHash } from "node:crypto";
import { hostileFreedoms, knownFreedoms } from "../../simulator/index.ts";

export interface Point {
  /** `F-cancel-mode=asynchronous`, `lost-answer`. */
  readonly id: string;
  /** Its effect, for a person. */
  readonly sentence: string;
  readonly freedom?: readonly [id: string, option: string];
  readonly fault?: Rule;
}

/** A fault rule as a world file spells it. */
export type Rule = Readonly<Record<string, unknown>>;

interface MenuEntry {
  readonly id: string;
  readonly sentence: string;
  readonly rule: Rule;
}

const placing = { route: "POST /order" };

/** Faults, each once: the first of what it is about, so that a client always gets through with another try. */
const menu: readonly MenuEntry[] = [
  {
    id: "lost-answer",
    sentence: "the first order is placed, and the connection ends without an answer",
    rule: { ...placing, nth: 1, fault: { kind: "dropConnectionAfter" } },
  },
  {
    id: "reset-after-order",
    sentence: "the second order is placed, and the connection is reset in place of an answer",
    rule: { ...placing, nth: 2, fault: { kind: "resetConnectionAfter" } },
  },
  {
    id: "cut-answer",
    sentence: "the first order is placed, and its answer is cut off in the middle",
    rule: { ...placing, nth: 1, fault: { kind: "cutBody" } },
  },
  {
    id: "lost-request",
    sentence: "the first order is lost on its way, and nothing is placed",
    rule: { ...placing, nth: 1, fault: { kind: "dropConnectionBefore" } },
  },
  {
    id: "late-answer",
    sentence: "the answer to the first order comes 1.5 s after it was placed",
    rule: { ...placing, nth: 1, fault: { kind: "delayResponse", ms: 1500 } },
  },
  {
    id: "busy",
    sentence: "the first order is answered with 503 and Retry-After; nothing is placed",
    rule: { ...placing, nth: 1, fault: { kind: "status", status: 503 } },
  },
  {
    id: "too-many",
    sentence: "the first order is answered with 429 and Retry-After; nothing is placed",
    rule: { ...placing, nth: 1, fault: { kind: "status", status: 429 } },
  },
  {
    id: "proxy-error",
    sentence: "the first order is answered with 500 and no body, as a proxy does; nothing is placed",
    rule: { ...placing, nth: 1, fault: { kind: "status", status: 500, body: "none" } },
  },
  {
    id: "lost-cancel-answer",
    sentence: "the first cancel is done, and the connection ends without an answer",
    rule: { route: "DELETE /order/{id}", nth: 1, fault: { kind: "dropConnectionAfter" } },
  },
  {
    id: "stream-gap",
    sentence: "the third message of the stream is lost: its number is missing",
    rule: { nth: 3, fault: { kind: "streamDrop" } },
  },
  {
    id: "stream-twice",
    sentence: "the second message of the stream comes twice, with one number",
    rule: { nth: 2, fault: { kind: "streamDuplicate" } },
  },
  {
    id: "stream-swapped",
    sentence: "the second message of the stream comes behind the third",
    rule: { nth: 2, fault: { kind: "streamReorder" } },
  },
  {
    id: "stream-stall",
    sentence: "the stream is silent for two seconds in front of its fourth message",
    rule: { nth: 4, fault: { kind: "streamStall", ms: 2000 } },
  },
  {
    id: "stream-cut",
    sentence: "the stream is cut at its fourth message, without a close frame",
    rule: { nth: 4, fault: { kind: "streamClose" } },
  },
];

const faultPercent = 20;

/** The points that this seed activates, the same on every machine. */
export function pointsOf(seed: number): Point[] {
  const faults = menu
    .filter(({ id }) => draw(seed, id) < faultPercent)
    .map(({ id, sentence, rule }): Point => ({ id, sentence, fault: { id, ...rule } }));
  return [...Object.entries(hostileFreedoms(seed)).map(freedomPoint), ...faults];
}

function freedomPoint(freedom: readonly [string, string]): Point {
  const [id, option] = freedom;
  const known = knownFreedoms().find((one) => one.id === id);
  const means = known?.options.find((one) => one.id === option)?.means ?? `${option} in place of the default`;
  const gap = known?.gap.replace(/\.$/, "") ?? id;
  return { id: `${id}=${option}`, sentence: `${lowerFirst(gap)}: ${means}`, freedom };
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** From 0 to 99. */
const draw = (seed: number, id: string): number =>
  createHash("sha256").update(`bisect ${seed} ${id}`).digest().readUInt32BE(0) % 100;
