/**
 * Reads the file of a venue as a person would: through the views, on a copy, without the venue's own program.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { type Sqlite, SqliteDatabase } from "../../simulator/store/driver.ts";
import { changesBetween, type History, isAcknowledged, lastShown } from "./history.ts";
import type { BalanceSeen } from "./workload.ts";

interface OrderRow {
  readonly id: number;
  readonly client: string;
  readonly client_order_id: string;
  readonly status: string;
  readonly filled_quantity: string;
}

interface BalanceRow {
  readonly client: string;
  readonly asset: string;
  readonly balance: string;
}

/** Runs `judge` over a copy, made in `scratch`, of a database that is not in use. */
export function onCopy<T>(file: string, judge: (db: Sqlite) => T, scratch = path.dirname(file)): T {
  const folder = mkdtempSync(path.join(scratch, "copy-"));
  const copy = path.join(folder, path.basename(file));
  try {
    for (const ending of ["", "-wal"]) {
      if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
    }
    const db = new SqliteDatabase(copy);
    try {
      return judge(db);
    } finally {
      db.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One sentence for each difference between the file and the answers that clients got. */
export function problemsInBooks(db: Sqlite, history: History, balances: readonly BalanceSeen[]): string[] {
  return [
    ...problemsInFunds(db),
    ...problemsInOrders(db, history),
    ...problemsInBalances(db, balances),
    ...problemsInSize(db),
  ];
}

/** Clients, fees, the market and the outside hold nothing together, in every asset. */
function problemsInFunds(db: Sqlite): string[] {
  const totals = new Map<string, bigint>();
  for (const { asset, balance } of balancesIn(db)) {
    totals.set(asset, (totals.get(asset) ?? 0n) + scaled(balance));
  }
  return [...totals]
    .filter(([, total]) => total !== 0n)
    .map(([asset, total]) => `${asset} is not conserved: off by ${total}e-${digits}`);
}

export const balancesIn = (db: Sqlite): readonly BalanceRow[] =>
  db.prepare<[], BalanceRow>("SELECT client, asset, balance FROM balances").all();

function problemsInOrders(db: Sqlite, history: History): string[] {
  const problems: string[] = [];
  const rows = new Map<string, OrderRow>();
  const select = "SELECT id, client, client_order_id, status, filled_quantity FROM orders";
  for (const row of db.prepare<[], OrderRow>(select).all()) {
    const name = `${row.client} ${row.client_order_id}`;
    const earlier = rows.get(name);
    if (earlier !== undefined)
      problems.push(`${name} is the client_order_id of orders ${earlier.id} and ${row.id}`);
    rows.set(name, row);
  }
  for (const [name, order] of history.orders) {
    const shown = lastShown(order);
    if (!isAcknowledged(order) || shown === undefined) continue;
    const row = rows.get(name);
    if (row === undefined) {
      problems.push(`the acknowledged order ${name} is not in the file`);
      continue;
    }
    const stored = { ...shown, status: row.status, filledQuantity: row.filled_quantity };
    problems.push(
      ...changesBetween(spelled(shown), spelled(stored)).map(
        (problem) => `order ${name} in the file ${problem}`,
      ),
    );
  }
  return problems;
}

/** The views spell quantities with the digits of the product. */
const spelled = (order: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  ...order,
  filledQuantity: String(Number(order["filledQuantity"])),
});

/** Every balance that a client saw is in the history of that wallet. */
function problemsInBalances(db: Sqlite, seen: readonly BalanceSeen[]): string[] {
  if (seen.length === 0) return [];
  const amounts = db
    .prepare<[], { client: string; asset: string; scale: number; balance: number | string }>(
      `SELECT client.name AS client, asset.symbol AS asset, asset.scale AS scale, balance
       FROM (SELECT owner, asset, balance FROM posting
             UNION SELECT owner, asset, amount FROM opening_balance) AS line
       JOIN asset ON asset.number = line.asset JOIN client ON client.number = line.owner`,
    )
    .safeIntegers()
    .all();
  const known = new Set(
    amounts.map(
      ({ client, asset, scale, balance }) =>
        `${client} ${asset} ${BigInt(balance) * 10n ** (BigInt(digits) - BigInt(scale))}`,
    ),
  );
  return seen
    .filter(({ client, asset, balance }) => !known.has(`${client} ${asset} ${scaled(balance)}`))
    .map(({ client, asset, balance }) => `${client} was told to have ${balance} ${asset}, and never had`);
}

function problemsInSize(db: Sqlite): string[] {
  const found = db.pragma("integrity_check", { simple: true });
  return found === "ok" ? [] : [`SQLite finds the file damaged: ${String(found)}`];
}

/** Enough for every asset: amounts become whole numbers of this scale. */
const digits = 24;

export function scaled(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const value = BigInt(whole + fraction.padEnd(digits, "0"));
  return decimal.startsWith("-") ? -value : value;
}

/** Wallets of the file that are not as clients were told. */
export function differences(inFile: readonly BalanceSeen[], told: readonly BalanceSeen[]): string[] {
  const stored = new Map(inFile.map(({ client, asset, balance }) => [`${client} ${asset}`, scaled(balance)]));
  return told
    .filter(({ client, asset, balance }) => stored.get(`${client} ${asset}`) !== scaled(balance))
    .map(
      ({ client, asset, balance }) => `${client} was told ${balance} ${asset}, and the file says otherwise`,
    );
}
