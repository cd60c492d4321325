import { failedOutcomes } from "../contract/fields.ts";
import { type Exchange, isSuccess } from "../model/exchange.ts";
import { capabilityOf, type Operation, type Profile } from "../model/profile.ts";
import type { CitedDifference } from "./order-relations.ts";
import { ordersIn, textField } from "./orders-in-reply.ts";
import { resolvePointer } from "./pointer.ts";

/**
 * Remembers cancels that were accepted. Fifteen seconds later the order is no longer among the open ones (EPT-11): of
 * thousands of cancels, the few that are lost show only here. orders-220 gives ten seconds to the order, and five more
 * to the list.
 *
 * Known limits: an id that is escaped in the path is not found. Where the kit can move the clock of the market, that
 * clock may stand still, and then an order may stay open.
 */
export class AcceptedCancels {
  /** When the last cancel of a client's order was accepted. */
  readonly #at = new Map<string, number>();

  read(exchange: Exchange, profile: Profile, basePath: string): CitedDifference[] {
    if (capabilityOf(profile, "clock.control") === "present") return [];
    const { operation = "", role } = exchange.request;
    const client = profile.credentials[role]?.client ?? role;
    const mapped = profile.operations["cancelOrder"];
    if (operation === "cancelOrder" && typeof mapped === "object")
      this.#note(exchange, mapped, basePath, client);
    return operation === "openOrders" ? this.#stillOpen(exchange, client) : [];
  }

  #note(exchange: Exchange, { method, path }: Operation, basePath: string, client: string): void {
    const [before = "", after] = path.split("{id}");
    const { request, endedAt } = exchange;
    const [sent = ""] = request.path.split("?");
    const isOfOrder = sent.startsWith(basePath + before) && after !== undefined && sent.endsWith(after);
    if (request.method !== method || !isOfOrder || !isAccepted(exchange)) return;
    const key = keyOf(client, sent.slice(basePath.length + before.length, sent.length - after.length));
    if (key.length <= longestKey && (this.#at.size < mostOrders || this.#at.has(key)))
      this.#at.set(key, endedAt);
  }

  /** In a list without a filter. */
  #stillOpen(exchange: Exchange, client: string): CitedDifference[] {
    const { request, startedAt } = exchange;
    if (request.path.includes("?")) return [];
    return ordersIn(exchange).flatMap(({ pointer, order }) => {
      const accepted = this.#at.get(keyOf(client, textField(order, "id") ?? ""));
      if (accepted === undefined || startedAt - accepted < graceMs) return [];
      const expected = "no order whose cancel was accepted fifteen seconds before";
      const actual = textField(order, "status") ?? "(no status)";
      return [{ pointer: `${pointer}/status`, expected, actual, clause: "EPT-11" }];
    });
  }
}

/** A cancel may fail as a placement does: with a 200 whose body says so. */
export function isAccepted(exchange: Exchange): boolean {
  const at = (pointer: string) => resolvePointer(exchange.json, pointer);
  const type = at("#/data/type");
  return (
    isSuccess(exchange) && at("#/success") !== false && !failedOutcomes.some((failed) => failed === type)
  );
}

const keyOf = (client: string, id: string): string => `${client} ${id}`;

const graceMs = 15_000;
const mostOrders = 20_000;
const longestKey = 300;
