/** What a world holds: the orders of all clients, and the clients with their money. */
import type { Client } from "../domain/account.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import { isTerminal, type Order } from "../domain/order.ts";
import { lotsText } from "../domain/steps.ts";
import { rulesOf } from "../engine/state.ts";
import { success } from "../http/route.ts";
import { feeView, walletViews } from "../wire/account-view.ts";
import { component } from "../wire/components.ts";
import { orderStatuses } from "../wire/order-components.ts";
import { orderRecord } from "../wire/order-view.ts";
import { choice, integer, oneProduct, oneText } from "../wire/query-fields.ts";
import { count, decimal, flag, list, nullable, productId, record, text } from "../wire/schema.ts";
import { clientIndex, unknownClient } from "./clients.ts";
import { type Controls, controlRoute } from "./control-route.ts";

const listOrders = controlRoute({
  method: "GET",
  path: "/orders",
  operationId: "listOrders",
  verbs: [{ words: "order list" }],
  summary: "Orders of all clients, the newest first; those that have not ended, unless a status is named.",
  query: {
    client: oneText("Only those of the client of this name."),
    product: oneProduct("Only those of this product."),
    status: choice("Only those with this status.", orderStatuses),
    limit: integer("At most so many.", 1, 1000, 100),
  },
  answer: {
    schema: record("Orders.", {
      orders: list(record("An order.", { client: text("Name of its client."), order: component("Order") })),
      total: count("How many there are, those beyond the limit included."),
    }),
    example: { orders: [], total: 0 },
  },
  run: (controls, _params, _body, { client, product, status, limit }) => {
    const { state } = controls.venue;
    const index = client === null ? null : clientIndex(controls, client);
    if (index !== null && typeof index !== "number") return index;
    const fits = ({ terms, status: now }: Order): boolean =>
      (status === null ? !isTerminal(now) : now === status) &&
      (index === null || terms.client === index) &&
      (product === null || state.market(terms.product).product.id === product);
    const found = [...state.orders.values()].filter(fits).reverse();
    const orders = found.slice(0, limit).map((order) => ({
      client: state.client(order.terms.client).name,
      order: orderRecord(state, controls.ids, order),
    }));
    return success({ orders, total: found.length });
  },
});

const summaryMembers = {
  name: text("Name of the client."),
  keys: list(text("Name of a key."), "Keys that act for it."),
  tradingEnabled: flag("Whether it may trade."),
  openOrders: count("Orders that have not ended."),
  wallets: list(component("Wallet")),
};

const limitOf = (what: string) => nullable(decimal(what));

const rulesMember = list(
  record("Of a product.", {
    product: productId("The product."),
    enabled: flag("Whether the client may trade it."),
    minOrderSize: limitOf("Smallest quantity."),
    maxOrderSize: limitOf("Largest quantity."),
    minQuoteValue: limitOf("Smallest order value."),
    maxQuoteValue: limitOf("Largest order value."),
  }),
  "Rules of its own, where it has some: null leaves the limit of the product.",
);

function summaryOf({ venue: { state }, ids }: Controls, client: Client) {
  return {
    name: client.name,
    keys: state.keys.filter((key) => key.client === client.index).map(({ name }) => name),
    tradingEnabled: client.tradingEnabled,
    openOrders: client.openOrders.size,
    wallets: walletViews(state, ids, client, []),
  };
}

const exampleClient = {
  name: "carol",
  keys: ["counterparty"],
  tradingEnabled: true,
  openOrders: 0,
  wallets: [],
};

const listClients = controlRoute({
  method: "GET",
  path: "/clients",
  operationId: "listClients",
  verbs: [{ words: "client list" }],
  summary: "The clients of the world with their keys and wallets.",
  answer: {
    schema: record("The clients.", { clients: list(record("A client.", summaryMembers)) }),
    example: { clients: [exampleClient] },
  },
  run: (controls) =>
    success({ clients: controls.venue.state.clients.map((client) => summaryOf(controls, client)) }),
});

const readClient = controlRoute({
  method: "GET",
  path: "/clients/{client}",
  operationId: "readClient",
  verbs: [{ words: "client show" }],
  summary: "A client: its keys, balances and holds, its fees, and the rules of its own.",
  answer: {
    schema: record("The client.", { ...summaryMembers, fees: component("AccountFee"), rules: rulesMember }),
    example: {
      ...exampleClient,
      fees: {
        type: "ALL_IN",
        product: null,
        makerRate: "0.001",
        takerRate: "0.002",
        exchangeMakerRate: "0",
        exchangeTakerRate: "0",
        tradingVolume: "0",
        currency: "USD",
        updatedAt: "2026-01-01T00:00:00.000Z",
      },
      rules: [],
    },
  },
  refusals: [unknownClient],
  run: (controls, { client: name = "" }) => {
    const { state } = controls.venue;
    const index = clientIndex(controls, name);
    if (typeof index !== "number") return index;
    const client = state.client(index);
    const rules = [...client.rules.keys()].map((at) => {
      const { product } = state.market(at);
      const rule = rulesOf(client, at);
      const lots = (value: number | null) => (value === null ? null : lotsText(product, value));
      const value = (amount: bigint | null) =>
        amount === null ? null : formatScaled(amount, product.quote.scale);
      return {
        product: product.id,
        enabled: rule.enabled,
        minOrderSize: lots(rule.minOrderSize),
        maxOrderSize: lots(rule.maxOrderSize),
        minQuoteValue: value(rule.minQuoteValue),
        maxQuoteValue: value(rule.maxQuoteValue),
      };
    });
    return success({ ...summaryOf(controls, client), fees: feeView(state, client, null), rules });
  },
});

export const listControls = [listOrders, listClients, readClient] as const;
