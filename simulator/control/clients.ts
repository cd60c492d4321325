/** The client in the path of a control. */
import type { Refused } from "../http/route.ts";
import { type Controls, notFound, type RefusedCall } from "./control-route.ts";

export const unknownClient: RefusedCall = {
  code: "NOT_FOUND",
  when: "There is no such client.",
  params: { client: "dave" },
  message: "There is no client dave: the clients are alice, bob, carol",
};

/** Index of the client with this name, or the reply that says which there are. */
export function clientIndex({ venue: { world } }: Controls, name: string): number | Refused {
  const names = world.clients.map((client) => client.name);
  const index = names.indexOf(name);
  return index >= 0 ? index : notFound("client", name, `the clients are ${names.join(", ")}`);
}
