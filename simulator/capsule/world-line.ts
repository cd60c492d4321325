/**
 * A world as one line of data, in a capsule and in a store: everything that it was made of. It is read as a world file is,
 * because anybody may have written it.
 */
import { err, ok, type Result } from "../domain/result.ts";
import { decode } from "../schema/decode.ts";
import { byName, optional, type Schema, type Shape, section } from "../schema/fields.ts";
import { type BuiltWorld, buildWorld, type ChosenSettings, type WorldSource } from "../world/build-world.ts";
import { asWorldFile, checkWorld } from "../world/check/check-world.ts";
import { type RecordedTrade, readTrades } from "../world/liquidity/read-trades.ts";
import { formatProblem, sentenceOf } from "../world/problem.ts";
import type { WorldFile } from "../world/schema.ts";

// as: a schema is plain data; `checkWorld` looks at its content.
const shaped = <T>(schema: Schema): Shape<T> => schema as Shape<T>;
const object = shaped<object>({ type: "object", additionalProperties: true });

const WorldLine = section({
  file: object,
  calm: optional(object),
  hostile: optional(shaped<number>({ type: "integer" })),
  recorded: byName(shaped<string>({ type: "string" }), "Recorded trades as CSV, by product."),
});

/** What `worldOf` reads. A secret that is in the source is in it, too. */
export const worldLine = ({ file, writtenSettings, hostile, recorded }: WorldSource): object => ({
  file,
  ...(hostile === null ? {} : { hostile, calm: writtenSettings }),
  recorded: Object.fromEntries([...recorded].map(([product, trades]) => [product, tradesText(trades)])),
});

const tradesText = (trades: readonly RecordedTrade[]): string =>
  ["time,price,quantity", ...trades.map((one) => `${one.at},${one.price},${one.quantity}`)].join("\n");

/** A sentence says what is wrong with it. */
export function worldOf(value: object): Result<BuiltWorld, string> {
  const read = decode(WorldLine, value);
  if (!read.ok) return err(read.error.slice(0, 3).map(sentenceOf).join("; "));
  const { file: given, calm, hostile, recorded: texts } = read.value;
  const checked = calm === undefined ? [given] : [given, { ...given, settings: calm }];
  const problems = checked.flatMap((one) => checkWorld(one)).map(sentenceOf);
  if (problems.length > 0) return err(problems.slice(0, 3).join("; "));
  const file = asWorldFile(given);
  const recorded = new Map<string, readonly RecordedTrade[]>();
  for (const product of file.products ?? []) {
    if (product.liquidity?.mode !== "trades") continue;
    const trades = readTrades(texts[product.id] ?? "", `recorded trades of ${product.id}`, product);
    if (!trades.ok) return err(trades.error.slice(0, 1).map(formatProblem).join());
    recorded.set(product.id, trades.value);
  }
  const chosen: ChosenSettings = {
    settings: file.settings,
    // as: checked above as the settings of a world.
    writtenSettings: (calm ?? file.settings) as WorldFile["settings"],
    hostile: hostile ?? null,
  };
  return ok(buildWorld(file, { recorded, chosen }));
}
