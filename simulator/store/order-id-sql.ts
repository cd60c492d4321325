/**
 * The id of an order that the interface shows, in SQL. It is stored nowhere: it is computed from the seed and the number of the
 * order, as `domain/identity.ts` does, in 64-bit integers that hold 32 bits each. One step is one materialised table,
 * since SQLite would otherwise write each step out inside the next. SQLite and PostgreSQL read it alike.
 */
import { hashText } from "../domain/bijection.ts";

const xor = (one: string, other: string): string => `((${one} | ${other}) - (${one} & ${other}))`;
const shifted = (bits: number): string => xor("h", `(h >> ${bits})`);
/** Of 32 bits, in halves: a product of two such numbers can be more than 63 bits long. */
const times = (value: string, factor: number): string =>
  `(((${value} & 65535) * ${factor} + ((((${value} >> 16) * ${factor}) & 65535) << 16)) & 4294967295)`;

/** The steps that mix 32 bits, each from the `h` of the one before. */
const mix: readonly string[] = [times(shifted(16), 0x85ebca6b), times(shifted(13), 0xc2b2ae35), shifted(16)];

const carried = "seq, key, first, second, third";

/** `WITH` these tables, of which the last has `orderIdParts`. `rest` is what follows the columns of the first SELECT. */
export function orderIdSteps(seq: string, seed: string, rest = ""): readonly string[] {
  const steps: string[] = [];
  const step = (select: string): void => {
    const from = steps.length === 0 ? rest : ` FROM step${steps.length}`;
    steps.push(`step${steps.length + 1} AS MATERIALIZED (SELECT ${select}${from})`);
  };
  /** Mixes `value` and names the result; the other names stay. */
  const mixed = (value: string, name: string): void => {
    step(`${carried}, ${value} AS h`);
    for (const each of mix) step(`${carried}, ${each} AS h`);
    if (name !== "h") step(`${carried.replace(name, `h AS ${name}`)}, h`);
  };
  step(`${seq} AS seq, 0 AS key, 0 AS first, 0 AS second, 0 AS third, ${seed} AS h`);
  mixed(xor("h", String(hashText("order") >>> 0)), "key");
  mixed(xor("seq", "key"), "first");
  mixed(xor("first", times("key", 0x9e3779b1)), "second");
  mixed(xor("second", String(0x2545f491)), "third");
  mixed(xor("third", "key"), "h");
  return steps;
}

/** The numbers of an id and their hexadecimal digits; a hyphen is between all but the last two. */
export const orderIdParts: readonly (readonly [value: string, digits: number])[] = [
  ["first", 8],
  ["second >> 16", 4],
  ["(second & 4095) | 16384", 4],
  ["((third >> 16) & 4095) | ((8 | (third >> 30)) << 12)", 4],
  ["third & 65535", 4],
  ["h", 8],
];
