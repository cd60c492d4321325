/**
 * The hot tables are insert-only rows of integers under an INTEGER PRIMARY KEY, with no secondary index: rows
 * are appended to the last page and the insert rate stays flat. Look-ups by another key (a client's
 * order id, a nonce) use memory.
 *
 * `amount`, `balance` and fees are ANY: an integer while it fits 64 bits, decimal digits as text above.
 */
export const tables = `
CREATE TABLE venue (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  venue_id       BLOB NOT NULL,
  world          TEXT NOT NULL,
  world_digest   TEXT NOT NULL,
  seed           INTEGER NOT NULL,
  engine_version TEXT NOT NULL,
  epoch          INTEGER NOT NULL,
  created_at     INTEGER NOT NULL
) STRICT;

-- Names for the views, filled from the world and from the program's own lists.
CREATE TABLE asset (
  number INTEGER PRIMARY KEY,
  symbol TEXT NOT NULL,
  name   TEXT NOT NULL,
  scale  INTEGER NOT NULL
) STRICT;
CREATE TABLE product (
  number      INTEGER PRIMARY KEY,
  id          TEXT NOT NULL,
  base_asset  INTEGER NOT NULL REFERENCES asset,
  quote_asset INTEGER NOT NULL REFERENCES asset,
  price_scale INTEGER NOT NULL,
  tick_unit   INTEGER NOT NULL,
  lot_scale   INTEGER NOT NULL,
  lot_unit    INTEGER NOT NULL
) STRICT;
-- Negative numbers are the owners that are no clients: -1 fees, -2 market, -3 outside.
CREATE TABLE client (number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE opening_balance (
  owner  INTEGER NOT NULL REFERENCES client,
  asset  INTEGER NOT NULL REFERENCES asset,
  amount ANY NOT NULL,
  PRIMARY KEY (owner, asset)
) STRICT, WITHOUT ROWID;
CREATE TABLE command_kind (code INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE order_status (code INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;

-- elapsed: market time in milliseconds since venue.created_at; two bytes of each row shorter than the time
-- itself. hash: the first half of SHA-256, chained. An order has the number of its PlaceOrder entry.
CREATE TABLE journal (
  seq     INTEGER PRIMARY KEY,
  elapsed INTEGER NOT NULL,
  kind    INTEGER NOT NULL,
  command TEXT NOT NULL,
  hash    BLOB NOT NULL
) STRICT;

CREATE TABLE fill (
  trade              INTEGER PRIMARY KEY,
  seq                INTEGER NOT NULL,
  product            INTEGER NOT NULL,
  price              INTEGER NOT NULL,
  quantity           INTEGER NOT NULL,
  taker_buys         INTEGER NOT NULL,
  taker              INTEGER NOT NULL,
  maker              INTEGER NOT NULL,
  taker_commission   ANY NOT NULL,
  taker_exchange_fee ANY NOT NULL,
  maker_commission   ANY NOT NULL,
  maker_exchange_fee ANY NOT NULL
) STRICT;

CREATE TABLE status_change (
  id           INTEGER PRIMARY KEY,
  seq          INTEGER NOT NULL,
  order_number INTEGER NOT NULL,
  status       INTEGER NOT NULL,
  reason       TEXT
) STRICT;

CREATE TABLE posting (
  id      INTEGER PRIMARY KEY,
  seq     INTEGER NOT NULL,
  owner   INTEGER NOT NULL,
  asset   INTEGER NOT NULL,
  amount  ANY NOT NULL,
  balance ANY NOT NULL
) STRICT;

CREATE TABLE nonce (
  id          INTEGER PRIMARY KEY,
  key         INTEGER NOT NULL,
  nonce       BLOB NOT NULL,
  timestamp   INTEGER NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE TABLE nonce_floor (key INTEGER PRIMARY KEY, timestamp INTEGER NOT NULL) STRICT;

CREATE TABLE snapshot (
  seq            INTEGER PRIMARY KEY,
  hash           BLOB NOT NULL,
  engine_version TEXT NOT NULL,
  checksum       BLOB NOT NULL,
  body           TEXT NOT NULL
) STRICT;
`;
