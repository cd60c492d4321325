import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { Blocked } from "../model/outcome.ts";
import type { Budget } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { Egress } from "./egress.ts";
import { Target } from "./target.ts";

describe("a place among the open orders", () => {
  let server: Server | undefined;
  afterEach(() => server?.closeAllConnections());
  afterEach(() => server?.close());

  /** Places orders side by side at a gateway that answers each after a while, with a limit of one open order. */
  async function place(count: number, status: number, answer: object): Promise<unknown[]> {
    server = createServer((request, response) => {
      request.resume();
      setTimeout(() => response.writeHead(status).end(JSON.stringify(answer)), 20);
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const made = plainProfile(`http://127.0.0.1:${port}/api/v1/trading`, "kid", "secret");
    if (typeof made === "string") throw new Error(made);
    const budget: Budget = { ...made.safety.budget, openOrders: 1 };
    await using target = new Target(new Egress({ ...made, safety: { ...made.safety, budget } }), "kit-test");
    const sent = Array.from({ length: count }, (_, n) => {
      const order = { side: "BUY", type: "LIMIT", product: "BTC-USD", client_order_id: `key-${n}` };
      const body = Buffer.from(JSON.stringify({ ...order, price: "1", base_quantity: "1" }));
      const request = { method: "POST", path: "/api/v1/trading/order", headers: [], body, role: "trader" };
      return target.send(request, { deadlineMs: 2000 }).then(
        ({ reply }) => reply?.status,
        (error: unknown) => error,
      );
    });
    return await Promise.all(sent);
  }

  it("is waited for while others end theirs", async () => {
    expect(await place(3, 401, {})).toEqual([401, 401, 401]);
  });

  it("is refused when none is returned", async () => {
    const [first, second] = await place(2, 200, { data: { order: { id: "a", status: "OPEN" } } });
    expect(first).toBe(200);
    expect(second).toBeInstanceOf(Blocked);
    expect(String(second)).toContain("orders that may be open already: 1; safety.budget.openOrders allows 1");
  });
});
