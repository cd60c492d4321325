/** Bugs of lists: products and open orders. */
import { hash } from "node:crypto";
import type { Reply } from "../../http/route.ts";
import { handling, placing } from "../../variations/changed-call.ts";
import { type BrokenCall, bug, type Decorators, type Defect } from "../../variations/defect.ts";
import { type Fields, parseList } from "../../variations/json.ts";
import { ordersWith } from "../../variations/order-records.ts";

type Rewrite = NonNullable<Decorators["route"]>;

const listing = (
  operationId: string,
  change: (list: readonly Fields[], call: BrokenCall) => unknown,
): Rewrite =>
  handling(operationId, async (call, handle) => {
    const reply = await handle();
    return reply.ok ? { ...reply, data: JSON.stringify(change(parseList(reply.data), call)) } : reply;
  });

const groups = (change: (list: readonly Fields[]) => unknown): Decorators => ({
  route: listing("listProducts", change),
});

// as: the pairs of a group of this venue.
const pairsOf = (group: Fields): readonly Fields[] => group["availablePairs"] as readonly Fields[];

/** A new group begins wherever the base asset is another than that of the pair before. */
function groupNeighbours(pairs: readonly Fields[]): { name: unknown; availablePairs: Fields[] }[] {
  const made: { name: unknown; availablePairs: Fields[] }[] = [];
  for (const pair of pairs) {
    const last = made.at(-1);
    if (last?.name === pair["base"]) last?.availablePairs.push(pair);
    else made.push({ name: pair["base"], availablePairs: [pair] });
  }
  return made;
}

const byQuote = (a: Fields, b: Fields): number => (String(a["quote"]) < String(b["quote"]) ? -1 : 1);

function withoutFalse(pair: Fields): Fields {
  return Object.fromEntries(Object.entries(pair).filter(([, value]) => value !== false));
}

const uuidOf = (text: string): string =>
  hash("sha256", text, "hex").replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5");

/** Reads and cancels the order that `real` finds for the id that was asked for. */
const finding = (real: (id: string) => string): Rewrite => {
  const found = (call: BrokenCall): BrokenCall => ({
    ...call,
    params: { ...call.params, id: real(call.params["id"] ?? "") },
  });
  const reads = handling("readOrder", (call, handle) => handle(found(call)));
  const cancels = handling("cancelOrder", (call, handle) => handle(found(call)));
  return (inner) => reads(cancels(inner));
};

export const lists: readonly Defect[] = [
  // A list that nothing was added to is no list.
  bug("A-84", "An empty list of open orders is null", ["ENV-07", "EPT-02"], () => ({
    route: listing("listOpenOrders", (list) => (list.length === 0 ? null : list)),
  })),
  // A converter from XML cannot know that one pair is a list of pairs.
  bug("A-85", "A group with one pair has that pair instead of a list", ["PRD-03"], () =>
    groups((list) =>
      list.map((group) => {
        const pairs = pairsOf(group);
        return { ...group, availablePairs: pairs.length === 1 ? pairs[0] : pairs };
      }),
    ),
  ),
  // A pair belongs to both of its assets.
  bug("A-86", "A pair is listed under its quote asset, too", ["PRD-16", "PRD-18"], () =>
    groups((list) => {
      const all = list.flatMap(pairsOf);
      return list.map(({ name }) => ({
        name,
        availablePairs: all.filter(({ base, quote }) => base === name || quote === name),
      }));
    }),
  ),
  // Neighbours are grouped, and the list is in order of the quote asset.
  bug(
    "A-87",
    "A base asset can have two groups, because only neighbours in the order of quote assets are grouped",
    ["PRD-17"],
    () => groups((list) => groupNeighbours(list.flatMap(pairsOf).toSorted(byQuote))),
  ),
  // The encoder leaves out what has the default value of its type.
  bug("A-88", "A pair that is not enabled has no apiEnabled at all", ["PRD-05"], () =>
    groups((list) => list.map((group) => ({ ...group, availablePairs: pairsOf(group).map(withoutFalse) }))),
  ),
  // The open list comes from the exchange, and so do its ids.
  bug(
    "A-89",
    "The open list shows the id of the exchange instead of the order's",
    ["ORD-39", "EPT-07"],
    () => ({
      route: listing("listOpenOrders", (list) =>
        list.map((order) => ({ ...order, id: order["externalId"] ?? order["id"] })),
      ),
    }),
  ),
  // Ids are made of the time, in milliseconds.
  bug("A-90", "Orders of one millisecond share an id", ["ORD-38", "ORD-39"], () => {
    const real = new Map<string, string>();
    return {
      ...ordersWith((order) => {
        const id = uuidOf(String(order["createdAt"]));
        real.set(id, String(order["id"]));
        return { ...order, id };
      }),
      route: finding((id) => real.get(id) ?? id),
    };
  }),
  // The open list is cached, and only an order to buy drops the cache.
  bug(
    "A-91",
    "An order to sell does not show in the open list before the next order to buy",
    ["EPT-07"],
    () => {
      const cache = new Map<string, Reply>();
      const placed = placing((_call, body, place) => {
        if (body["side"] === "BUY") cache.clear();
        return place(body);
      });
      const listed = handling("listOpenOrders", async (call, handle) => {
        const name = `${call.caller.keyId} ${call.search}`;
        const reply = cache.get(name) ?? (await handle());
        cache.set(name, reply);
        return reply;
      });
      return { route: (inner) => placed(listed(inner)) };
    },
  ),
  // Without a product in the query the first one is meant.
  bug("A-92", "The open list shows orders of BTC-USD only", ["EPT-07"], () => ({
    route: listing("listOpenOrders", (list, { search }) =>
      search.includes("product=") ? list : list.filter(({ productId }) => productId === "BTC-USD"),
    ),
  })),
];
