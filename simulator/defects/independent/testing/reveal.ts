/** Shows that a defect is visible from outside: one piece of work, on an honest venue and on a broken one. */
import { expect, test } from "vitest";
import type { SimulatorOptions } from "../../../index.ts";
import { asObject, type JsonObject, type Reply } from "../../../testing/client.ts";
import { useVenue } from "../../../testing/use-venue.ts";
import { type Venue, withVenue } from "../../../testing/venue.ts";

export interface Reveal {
  /** The request or requests that tell the two apart; gives what a client can see. */
  readonly look: (venue: Venue) => Promise<unknown>;
  readonly honest: unknown;
  readonly broken: unknown;
}

export function reveals(rows: Readonly<Record<string, Reveal>>, options: SimulatorOptions = {}): void {
  const honest = useVenue(options);
  test.each(Object.entries(rows))("%s shows", async (id, row) => {
    expect(await row.look(honest()), "honest").toEqual(row.honest);
    const seen = await withVenue({ ...options, defects: [id] }, row.look);
    expect(seen, "broken").toEqual(row.broken);
  });
}

/** Outcome of a placement or status of anything else. */
export const said = (reply: Reply): string | number => {
  const type = reply.data["type"];
  return reply.status === 200 && typeof type === "string" ? type : reply.status;
};

export const orderOf = (reply: Reply): JsonObject => asObject(reply.data["order"]);
