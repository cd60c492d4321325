/** The ids in the paths of the document, for tools that send its examples. Apart from the document: a start needs it. */
import type { VenueState } from "../../engine/state.ts";
import type { Identities } from "../../wire/identities.ts";

/** By what stands in front of `{id}` in the path. */
export type RecordIds = Readonly<Record<string, string>>;

/**
 * The newest order and deposit of the client that the first key acts for. Without an order, the id that one gets when it
 * comes before anything else happens; without a deposit, that of the next one.
 */
export function idsOfRecords({ world, clients, deposits, seq }: VenueState, ids: Identities): RecordIds {
  const client = world.keys.find((key) => key.client !== null)?.client ?? 0;
  const order = clients[client]?.orders.at(-1) ?? seq + 1;
  const deposit = deposits.findLast((one) => one.client === client)?.number ?? deposits.length + 1;
  return { order: ids.order.idOf(order), deposits: ids.deposit.idOf(deposit) };
}
