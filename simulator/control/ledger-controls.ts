/** Who met in a trade, and how the money of a client moved. Both come from a replay of the journal. */
import type { Wallet } from "../domain/account.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import type { OrderNumber } from "../domain/order.ts";
import type { VenueState } from "../engine/state.ts";
import { success } from "../http/route.ts";
import type { ValueOf } from "../schema/fields.ts";
import { depositView } from "../wire/account-view.ts";
import { component } from "../wire/components.ts";
import { isoTime } from "../wire/envelope.ts";
import { integer } from "../wire/query-fields.ts";
import { count, decimal, list, nullable, oneOfText, productId, record, text, time } from "../wire/schema.ts";
import { clientIndex, unknownClient } from "./clients.ts";
import { type Controls, controlRoute, notFound, type RefusedCall } from "./control-route.ts";
import { amountsOf } from "./market-views.ts";
import { replay } from "./replay.ts";

const sideSchema = nullable(
  record("A side of the trade; null for the synthetic market.", {
    order: text("Id of the order."),
    client: text("Name of the client."),
  }),
);

const tradeSchema = record("A trade.", {
  trade: count("Its number."),
  entry: count("The journal entry that made it."),
  at: time("Market time."),
  product: productId("The product."),
  price: decimal("Price, in the quote asset."),
  quantity: decimal("Quantity, in the base asset."),
  takerSide: oneOfText("Side of the order that came later.", ["BUY", "SELL"]),
  taker: sideSchema,
  maker: sideSchema,
});

const unknownTrade: RefusedCall = {
  code: "NOT_FOUND",
  when: "There was no trade with this number.",
  params: { trade: "999999999" },
  message: "There is no trade 999999999: GET /products/{product}/trades lists the newest",
};

const readTrade = controlRoute({
  method: "GET",
  path: "/trades/{trade}",
  operationId: "readTrade",
  verbs: [{ words: "trade show" }],
  summary: "A trade with the orders and clients that met in it.",
  answer: {
    schema: tradeSchema,
    example: {
      trade: 1,
      entry: 12,
      at: "2026-01-01T00:00:00.000Z",
      product: "BTC-USD",
      price: "60000",
      quantity: "0.1",
      takerSide: "BUY",
      taker: { order: "8f14e45f-ceea-467f-a83c-91d6a2f4a001", client: "alice" },
      maker: null,
    },
  },
  refusals: [unknownTrade],
  run: async (controls, { trade = "" }) => {
    const number = /^[1-9][0-9]{0,14}$/.test(trade) ? Number(trade) : 0;
    const found = number <= controls.venue.state.trades ? await findTrade(controls, number) : undefined;
    return found === undefined
      ? notFound("trade", trade, "GET /products/{product}/trades lists the newest")
      : success(found);
  },
});

type Trade = ValueOf<typeof tradeSchema>;

const isTrade = (event: Event): event is Event<"Traded" | "TradePrinted"> =>
  event.kind === "Traded" || event.kind === "TradePrinted";

async function findTrade(controls: Controls, trade: number): Promise<Trade | undefined> {
  let found: Trade | undefined;
  await replay(controls, controls.venue.state.seq, ({ seq, at }, _command, events, state) => {
    const event = events.filter(isTrade).find((one) => one.trade === trade);
    if (event === undefined) return false;
    const { product } = state.market(event.product);
    const sides = event.kind === "Traded" ? event : { takerSide: "BUY" as const, taker: 0, maker: 0 };
    found = {
      trade,
      entry: seq,
      at: isoTime(at),
      product: product.id,
      ...amountsOf(product, event.price, event.quantity),
      takerSide: sides.takerSide,
      taker: sideOf(controls, state, sides.taker),
      maker: sideOf(controls, state, sides.maker),
    };
    return true;
  });
  return found;
}

function sideOf({ ids }: Controls, state: VenueState, order: OrderNumber): ValueOf<typeof sideSchema> {
  if (order === 0) return null;
  return { order: ids.order.idOf(order), client: state.client(state.order(order).terms.client).name };
}

const movementSchema = record("A change of a wallet.", {
  entry: count("The journal entry that made it; 0 for the money that the world began with."),
  at: time("Market time."),
  kind: text("Kind of the command of the entry."),
  asset: text("Asset of the wallet."),
  change: decimal("By how much the balance grew; negative when it shrank."),
  holdChange: decimal("The same for the part on hold."),
  balance: decimal("The balance after it."),
  hold: decimal("The part on hold after it."),
});

type Movement = ValueOf<typeof movementSchema>;

const readLedger = controlRoute({
  method: "GET",
  path: "/clients/{client}/ledger",
  operationId: "readLedger",
  verbs: [{ words: "client ledger" }],
  summary:
    "How the money of a client moved: each change of a wallet with its journal entry, the newest first.",
  query: { limit: integer("At most so many.", 1, 1000, 100) },
  answer: {
    schema: record("The ledger of a client.", {
      movements: list(movementSchema),
      total: count("How many there are, those beyond the limit included."),
      deposits: list(component("Deposit"), "Deposits, the newest first."),
    }),
    example: {
      movements: [
        {
          entry: 0,
          at: "2026-01-01T00:00:00.000Z",
          kind: "World",
          asset: "USD",
          change: "1000000",
          holdChange: "0",
          balance: "1000000",
          hold: "0",
        },
      ],
      total: 1,
      deposits: [],
    },
  },
  refusals: [unknownClient],
  run: async (controls, { client: name = "" }, _body, { limit }) => {
    const index = clientIndex(controls, name);
    if (typeof index !== "number") return index;
    const ledger = new LedgerReader(controls.history().state, index);
    await replay(controls, controls.venue.state.seq, ({ seq, at, kind }, _command, _events, state) => {
      ledger.read(state, { entry: seq, at: isoTime(at), kind });
    });
    const { state } = controls.venue;
    const deposits = state.deposits.filter(({ client }) => client === index).reverse();
    return success({
      movements: ledger.movements.slice(-limit).reverse(),
      total: ledger.movements.length,
      deposits: deposits.map((deposit) => depositView(state, controls.ids, deposit)),
    });
  },
});

/** Notes what became of the wallets of a client since it looked at them last. */
class LedgerReader {
  readonly movements: Movement[] = [];
  readonly #client: number;
  readonly #before = new Map<number, Pick<Wallet, "balance" | "hold">>();

  constructor(state: VenueState, client: number) {
    this.#client = client;
    this.read(state, { entry: 0, at: isoTime(state.now), kind: "World" });
  }

  read(state: VenueState, entry: Pick<Movement, "entry" | "at" | "kind">): void {
    for (const [index, { balance, hold }] of state.client(this.#client).wallets) {
      const before = this.#before.get(index) ?? { balance: 0n, hold: 0n };
      if (before.balance === balance && before.hold === hold) continue;
      // as: a change of an amount is one.
      this.#before.set(index, { balance, hold });
      const { symbol: asset, scale } = state.world.assets[index] ?? { symbol: "?", scale: 0 };
      const shown = (amount: bigint): string => formatScaled(amount, scale);
      this.movements.push({
        ...entry,
        asset,
        change: shown(balance - before.balance),
        holdChange: shown(hold - before.hold),
        balance: shown(balance),
        hold: shown(hold),
      });
    }
  }
}

export const ledgerControls = [readTrade, readLedger] as const;
