/**
 * What a person reads with any client of PostgreSQL: the views of the file (`../migrations/0002-views.ts`), for all worlds
 * of a deployment. Decimals are exact: `numeric` computes them. Each view reads the journal of a world, so ask for one:
 * `WHERE world = 'main'`.
 */
import { commandKinds } from "../../domain/command.ts";
import { orderIdParts, orderIdSteps } from "../order-id-sql.ts";
import { orderStatuses, venueOwners } from "../stored-venue.ts";

const groups = orderIdParts.map(([value, digits]) => `lpad(to_hex(${value}), ${digits}, '0')`);
const steps = orderIdSteps("number", "seed");
const orderId = `
CREATE FUNCTION order_id(seed bigint, number bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
WITH ${steps.join(",\n  ")}
SELECT ${groups.slice(0, -1).join(" || '-' || ")} || ${groups.at(-1)} FROM step${steps.length}
$$;
`;

const owners = venueOwners.map(([number, name]) => `(${number}, '${name}')`).join(", ");
const outside = venueOwners.at(-1)?.[0];

/** Numbers are places in the lists of the world's header, as in the journal; an amount is a number of `unit`s. */
const names = `
CREATE TABLE asset (
  world text REFERENCES world ON DELETE CASCADE, number bigint, symbol text NOT NULL, unit numeric NOT NULL,
  PRIMARY KEY (world, number)
);
CREATE TABLE product (
  world text REFERENCES world ON DELETE CASCADE, number bigint, id text NOT NULL, tick numeric NOT NULL,
  lot numeric NOT NULL, fee_asset text NOT NULL,
  PRIMARY KEY (world, number)
);
CREATE TABLE client (
  world text REFERENCES world ON DELETE CASCADE, number bigint, name text NOT NULL,
  PRIMARY KEY (world, number)
);
CREATE TABLE opening_balance (
  world text REFERENCES world ON DELETE CASCADE, owner bigint, asset bigint, amount numeric NOT NULL,
  PRIMARY KEY (world, owner, asset)
);
`;

/** `WITH made AS (…)`, worlds with their names and headers, this writes the names of what is in them. */
export const nameWorlds = `
assets AS (
  INSERT INTO asset SELECT name, place - 1, item->>'symbol', 1 / 10::numeric ^ (item->>'scale')::integer
  FROM made, jsonb_array_elements(world::jsonb->'assets') WITH ORDINALITY AS of_world(item, place)
  RETURNING world, number, symbol, unit),
products AS (
  INSERT INTO product SELECT name, place - 1, item->>'id', (item->>'priceIncrement')::numeric,
    (item->>'baseIncrement')::numeric, split_part(item->>'id', '-', 2)
  FROM made, jsonb_array_elements(world::jsonb->'products') WITH ORDINALITY AS of_world(item, place)),
owners AS (
  SELECT name, place - 1 AS number, item->>'name' AS owner, item->'balances' AS balances
  FROM made, jsonb_array_elements(world::jsonb->'clients') WITH ORDINALITY AS of_world(item, place)),
clients AS (
  INSERT INTO client SELECT name, number, owner FROM owners
  UNION ALL SELECT made.name, number, owner FROM made, (VALUES ${owners}) AS venue(number, owner)),
opening AS (
  SELECT assets.world, owners.number AS owner, assets.number AS asset, (balances->>symbol)::numeric / unit AS amount
  FROM owners JOIN assets ON assets.world = owners.name AND balances ? symbol),
balances AS (
  INSERT INTO opening_balance SELECT * FROM opening
  UNION ALL SELECT world, ${outside}, asset, -sum(amount) FROM opening GROUP BY world, asset)`;

const results = `
CREATE VIEW journal_result AS
SELECT world, seq, place, result->>0 AS kind, result
FROM journal, jsonb_array_elements(results) WITH ORDINALITY AS of_entry(result, place);
`;

const amount = (value: string): string => `trim_scale(${value})::text`;
const at = "to_timestamp((world.created_at + entry.elapsed) / 1000.0)";
const statusNames = `ARRAY[${orderStatuses.map((status) => `'${status}'`).join(", ")}]`;
const placed = `entry.kind = ${commandKinds.indexOf("PlaceOrder")}`;

const orders = `
CREATE VIEW orders AS
WITH
  last_change AS (
    SELECT DISTINCT ON (world, order_number) world, order_number, status, reason
    FROM (SELECT world, seq, place, (result->>2)::bigint AS order_number, (result->>3)::integer AS status, result->>4 AS reason
      FROM journal_result WHERE kind = 'status_change') AS change
    ORDER BY world, order_number, seq DESC, place DESC
  ),
  executed AS (
    SELECT world, order_number, sum(lots) AS lots
    FROM (SELECT world, unnest(ARRAY[(result->>7)::bigint, (result->>8)::bigint]) AS order_number, (result->>5)::numeric AS lots
      FROM journal_result WHERE kind = 'fill') AS traded
    GROUP BY world, order_number
  ),
  entry AS (SELECT *, command::jsonb AS terms FROM journal AS entry WHERE ${placed})
SELECT entry.world, entry.seq AS id, client.name AS client, terms->>2 AS product, terms->>3 AS side, terms->>4 AS type,
  terms->>5 AS quantity, terms->>6 AS price, terms->>7 AS stop_price, terms->>8 AS quote_value, terms->>1 AS client_order_id,
  coalesce((${statusNames})[last_change.status + 1], 'OPEN') AS status, last_change.reason,
  ${amount("coalesce(executed.lots * product.lot, 0)")} AS filled_quantity, ${at} AS created_at,
  order_id(world.seed, entry.seq) AS order_id
FROM entry
JOIN world ON world.name = entry.world
LEFT JOIN client ON client.world = entry.world AND client.number = (terms->>0)::bigint
LEFT JOIN product ON product.world = entry.world AND product.id = terms->>2
LEFT JOIN last_change ON last_change.world = entry.world AND last_change.order_number = entry.seq
LEFT JOIN executed ON executed.world = entry.world AND executed.order_number = entry.seq;
`;

/** The columns of one side of a fill, whose order is the value at that place. */
const side = (name: string, order: number, fees: number, word: readonly [string, string]): string => `
  CASE result->>6 WHEN '1' THEN '${word[0]}' ELSE '${word[1]}' END AS ${name}_side,
  nullif((result->>${order})::bigint, 0) AS ${name}_order,
  coalesce((SELECT client.name FROM journal AS placed JOIN client ON client.world = placed.world
      AND client.number = (placed.command::jsonb->>0)::bigint
    WHERE placed.world = world.name AND placed.seq = (result->>${order})::bigint), 'market') AS ${name}_client,
  ${amount(`(result->>${fees})::numeric * asset.unit`)} AS ${name}_commission,
  ${amount(`(result->>${fees + 1})::numeric * asset.unit`)} AS ${name}_exchange_fee,`;

const fills = `
CREATE VIEW fills AS
SELECT world.name AS world, (result->>1)::bigint AS trade, entry.seq, ${at} AS time, product.id AS product,
  ${amount("(result->>4)::numeric * tick")} AS price, ${amount("(result->>5)::numeric * lot")} AS quantity,
  ${side("taker", 7, 9, ["BUY", "SELL"])} ${side("maker", 8, 11, ["SELL", "BUY"])}
  fee_asset
FROM world
JOIN journal AS entry ON entry.world = world.name
JOIN journal_result ON journal_result.world = world.name AND journal_result.seq = entry.seq AND journal_result.kind = 'fill'
JOIN product ON product.world = world.name AND product.number = (result->>3)::bigint
JOIN asset ON asset.world = world.name AND asset.symbol = fee_asset;
`;

const balances = `
CREATE VIEW balances AS
WITH
  wallet AS (
    SELECT world, owner, asset, amount, 0 AS seq, 0 AS place FROM opening_balance
    UNION ALL
    SELECT world, (result->>2)::bigint, (result->>3)::bigint, (result->>5)::numeric, seq, place
    FROM journal_result WHERE kind = 'posting'
  ),
  latest AS (SELECT DISTINCT ON (world, owner, asset) * FROM wallet ORDER BY world, owner, asset, seq DESC, place DESC)
SELECT latest.world, client.name AS client, asset.symbol AS asset, ${amount("latest.amount * unit")} AS balance,
  nullif(latest.seq, 0) AS changed_by
FROM latest
JOIN asset ON asset.world = latest.world AND asset.number = latest.asset
LEFT JOIN client ON client.world = latest.world AND client.number = latest.owner;
`;

/** `results` has the readable rows of an entry, as the file has them in tables; null: none. */
export const readableViews = [
  "ALTER TABLE journal ADD COLUMN results jsonb;",
  names,
  `WITH made AS (SELECT name, world FROM world), ${nameWorlds} SELECT FROM made;`,
  orderId,
  results,
  orders,
  fills,
  balances,
].join("\n");
