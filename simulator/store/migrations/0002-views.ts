/**
 * Views for a person with any SQLite tool on a copy of the file. Decimals are cut out of the digits of
 * integers, without REAL, so they are exact at any size. The price in ticks times the tick must
 * fit 64 bits.
 *
 * The tables have no index to find an order's last row by, so each view reads them once and groups. That
 * suits a person; a program should read the tables.
 */

/**
 * An integer (or its digits as text) with the point `scale` places from the right, without trailing zeros.
 */
const decimal = (value: string, scale: string): string => `(
    SELECT sign || rtrim(rtrim(substr(digits, 1, length(digits) - places) || '.' ||
      substr(digits, length(digits) - places + 1), '0'), '.')
    FROM (SELECT iif(substr(raw, 1, 1) = '-', '-', '') AS sign, places,
      substr(replace(hex(zeroblob(places + 1)), '00', '0'), 1, max(0, places + 1 - length(ltrim(raw, '-'))))
        || ltrim(raw, '-') AS digits
      FROM (SELECT CAST(${value} AS TEXT) AS raw, ${scale} AS places)))`;

/** Market time of the row of the journal that is called `entry`. */
const isoTime = `(SELECT strftime('%Y-%m-%dT%H:%M:%S', at / 1000, 'unixepoch') || printf('.%03dZ', at % 1000)
    FROM (SELECT created_at + entry.elapsed AS at FROM venue))`;

/** Field of a PlaceOrder by its place in the array: client, clientOrderId, product, side, type, … */
const field = (place: number, entry = "entry"): string => `json_extract(${entry}.command, '$[${place}]')`;

/** A product that the world does not have (a damaged row) must not hide its order. */
const filledQuantity = "coalesce(executed.lots, 0) * coalesce(product.lot_unit, 1)";

const placeOrder = 0;

export const views = `
CREATE VIEW orders AS
WITH
  last_change AS (SELECT order_number, status, reason, max(id) FROM status_change GROUP BY order_number),
  executed AS (
    SELECT order_number, sum(quantity) AS lots
    FROM (SELECT taker AS order_number, quantity FROM fill UNION ALL SELECT maker, quantity FROM fill)
    WHERE order_number <> 0
    GROUP BY order_number
  )
SELECT
  entry.seq AS id,
  client.name AS client,
  ${field(2)} AS product,
  ${field(3)} AS side,
  ${field(4)} AS type,
  ${field(5)} AS quantity,
  ${field(6)} AS price,
  ${field(7)} AS stop_price,
  ${field(8)} AS quote_value,
  ${field(1)} AS client_order_id,
  coalesce(order_status.name, 'OPEN') AS status,
  last_change.reason AS reason,
  ${decimal(filledQuantity, "coalesce(product.lot_scale, 0)")} AS filled_quantity,
  ${isoTime} AS created_at
FROM journal AS entry
LEFT JOIN client ON client.number = ${field(0)}
LEFT JOIN product ON product.id = ${field(2)}
LEFT JOIN last_change ON last_change.order_number = entry.seq
LEFT JOIN order_status ON order_status.code = last_change.status
LEFT JOIN executed ON executed.order_number = entry.seq
WHERE entry.kind = ${placeOrder};

CREATE VIEW fills AS
SELECT
  fill.trade AS trade,
  fill.seq AS seq,
  ${isoTime} AS time,
  product.id AS product,
  ${decimal("fill.price * product.tick_unit", "product.price_scale")} AS price,
  ${decimal("fill.quantity * product.lot_unit", "product.lot_scale")} AS quantity,
  iif(fill.taker_buys, 'BUY', 'SELL') AS taker_side,
  nullif(fill.taker, 0) AS taker_order,
  coalesce(taker_client.name, 'market') AS taker_client,
  ${decimal("fill.taker_commission", "quote.scale")} AS taker_commission,
  ${decimal("fill.taker_exchange_fee", "quote.scale")} AS taker_exchange_fee,
  iif(fill.taker_buys, 'SELL', 'BUY') AS maker_side,
  nullif(fill.maker, 0) AS maker_order,
  coalesce(maker_client.name, 'market') AS maker_client,
  ${decimal("fill.maker_commission", "quote.scale")} AS maker_commission,
  ${decimal("fill.maker_exchange_fee", "quote.scale")} AS maker_exchange_fee,
  quote.symbol AS fee_asset
FROM fill
JOIN product ON product.number = fill.product
JOIN asset AS quote ON quote.number = product.quote_asset
LEFT JOIN journal AS entry ON entry.seq = fill.seq
LEFT JOIN journal AS taker_entry ON taker_entry.seq = fill.taker
LEFT JOIN journal AS maker_entry ON maker_entry.seq = fill.maker
LEFT JOIN client AS taker_client ON taker_client.number = ${field(0, "taker_entry")}
LEFT JOIN client AS maker_client ON maker_client.number = ${field(0, "maker_entry")};

CREATE VIEW balances AS
WITH
  latest AS (SELECT owner, asset, balance, seq, max(id) FROM posting GROUP BY owner, asset),
  wallet AS (SELECT owner, asset FROM latest UNION SELECT owner, asset FROM opening_balance)
SELECT
  client.name AS client,
  asset.symbol AS asset,
  ${decimal("coalesce(latest.balance, opening_balance.amount)", "asset.scale")} AS balance,
  latest.seq AS changed_by
FROM wallet
JOIN asset ON asset.number = wallet.asset
LEFT JOIN client ON client.number = wallet.owner
LEFT JOIN latest ON latest.owner = wallet.owner AND latest.asset = wallet.asset
LEFT JOIN opening_balance ON opening_balance.owner = wallet.owner AND opening_balance.asset = wallet.asset;

CREATE VIEW journal_readable AS
SELECT
  entry.seq AS seq,
  ${isoTime} AS time,
  coalesce(command_kind.name, entry.kind) AS kind,
  entry.command AS command,
  lower(hex(entry.hash)) AS hash
FROM journal AS entry
LEFT JOIN command_kind ON command_kind.code = entry.kind;
`;
