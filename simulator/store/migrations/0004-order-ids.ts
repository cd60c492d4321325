/**
 * The view of orders gets the id that the interface shows. It is stored nowhere: it is computed from the seed and the
 * number of the order, as `domain/identity.ts` does, in 64-bit integers that hold 32 bits each. One step is one
 * materialised table, since SQLite would otherwise write each step out inside the next.
 */
import { hashText } from "../../domain/bijection.ts";
import { views } from "./0002-views.ts";

const xor = (one: string, other: string): string => `((${one} | ${other}) - (${one} & ${other}))`;
const shifted = (bits: number): string => xor("h", `(h >> ${bits})`);
/** Of 32 bits, in halves: a product of two such numbers can be more than 63 bits long. */
const times = (value: string, factor: number): string =>
  `(((${value} & 65535) * ${factor} + ((((${value} >> 16) * ${factor}) & 65535) << 16)) & 4294967295)`;

/** The steps that mix 32 bits, each from the `h` of the one before. */
const mix: readonly string[] = [times(shifted(16), 0x85ebca6b), times(shifted(13), 0xc2b2ae35), shifted(16)];

const [Carried, PlaceOrder] = ["seq, key, first, second, third", 0];
const steps: string[] = [];

function step(select: string): void {
  const from = steps.length === 0 ? "" : ` FROM step${steps.length}`;
  steps.push(`step${steps.length + 1} AS MATERIALIZED (SELECT ${select}${from})`);
}

/** Mixes `value` and names the result; the other names stay. */
function mixed(value: string, name: string): void {
  step(`${Carried}, ${value} AS h`);
  for (const each of mix) step(`${Carried}, ${each} AS h`);
  if (name !== "h") step(`${Carried.replace(name, `h AS ${name}`)}, h`);
}

step(
  `journal.seq AS seq, 0 AS key, 0 AS first, 0 AS second, 0 AS third, venue.seed AS h
    FROM journal, venue WHERE journal.kind = ${PlaceOrder}`,
);
mixed(xor("h", String(hashText("order") >>> 0)), "key");
mixed(xor("seq", "key"), "first");
mixed(xor("first", times("key", 0x9e3779b1)), "second");
mixed(xor("second", String(0x2545f491)), "third");
mixed(xor("third", "key"), "h");

const id = `printf('%08x-%04x-%04x-%04x-%04x%08x', first, second >> 16, (second & 4095) | 16384,
    ((third >> 16) & 4095) | ((8 | (third >> 30)) << 12), third & 65535, h)`;

const viewHead = "CREATE VIEW orders AS";
const before = views.slice(views.indexOf(viewHead) + viewHead.length, views.indexOf(";"));

export const orderIds = `
DROP VIEW orders;
${viewHead}
WITH
  ${steps.join(",\n  ")},
  ids AS (SELECT seq, ${id} AS order_id FROM step${steps.length})
SELECT readable.*, ids.order_id AS order_id
FROM (${before}) AS readable
JOIN ids ON ids.seq = readable.id;
`;
