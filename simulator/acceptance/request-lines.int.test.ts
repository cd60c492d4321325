/** The lines that a process logs of its requests. */
import { expect, test } from "vitest";
import type { RequestLine } from "../index.ts";
import { limitBuy, startVenue } from "../testing/venue.ts";

test("one line for each request, with the id of its answer, whose it was, and nothing of its query", async () => {
  const lines: RequestLine[] = [];
  const venue = await startVenue({ onRequest: (line) => lines.push(line) });
  const { trader } = venue;
  const placed = await trader.place(limitBuy());
  const listed = await trader.get("/order", { query: "limit=5&cursor=not-one" });
  const unknown = await trader.get("/order/open", { headers: { "X-API-KEY": "nobody" } });
  const world = await venue.control("/worlds", { name: "ci" });
  await venue.control(
    "/faults",
    { rules: [{ id: "cut", key: "trader", fault: { kind: "dropConnectionBefore" } }] },
    "PUT",
  );
  await trader.get("/wallet").catch(() => undefined);
  await venue.close();
  const path = "/api/v1/trading";
  const of = (wanted: object) => expect.objectContaining(wanted) as RequestLine;
  expect(lines).toEqual([
    of({
      method: "POST",
      path: `${path}/order`,
      status: 200,
      code: null,
      key: "trader",
      id: placed.headers["x-request-id"],
    }),
    of({
      method: "GET",
      path: `${path}/order`,
      status: 400,
      code: "INVALID_CURSOR",
      id: listed.headers["x-request-id"],
    }),
    of({ status: 401, key: null, code: unknown.code, world: "main" }),
    of({ method: "POST", path: "/__gatewright/worlds", status: 200 }),
    of({ method: "PUT", path: "/__gatewright/faults", status: 200 }),
    of({ method: "GET", path: `${path}/wallet`, status: 0, key: "trader" }),
  ]);
  expect(world["name"]).toBe("ci");
  for (const { ms, time } of lines)
    expect([ms >= 0 && ms < 60_000, new Date(time).toISOString()]).toEqual([true, time]);
});
