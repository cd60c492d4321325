import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { startSimulator } from "../index.ts";

const limitBuy = () => ({
  side: "BUY",
  type: "LIMIT",
  price: "50000",
  base_quantity: "0.001",
  product: "BTC-USD",
  client_order_id: randomUUID(),
});

interface Placed {
  readonly order: { readonly id: string; readonly clientOrderId: string };
}

describe("a signed request of the library", () => {
  it("places, reads and cancels an order", async () => {
    await using simulator = await startSimulator({ clock: "manual" });
    const placed = await simulator.request<Placed>("POST", "/order", { body: limitBuy() });
    expect(placed).toMatchObject({ status: 200, data: { type: "NEW_ORDER" } });
    const { id, clientOrderId } = placed.data.order;
    const found = await simulator.request("GET", `/order?clientOrderId=${clientOrderId}`);
    expect(found.data).toMatchObject({ items: [{ id }] });
    expect((await simulator.request("DELETE", `/order/${id}`)).data).toMatchObject({ status: "CANCELLED" });
  });

  it("gives a refusal back as it was answered", async () => {
    await using simulator = await startSimulator();
    const refused = await simulator.request("POST", "/order", { body: limitBuy(), key: "reader" });
    expect(refused).toMatchObject({ status: 403, code: "MISSING_CLAIM" });
    expect(refused.message).toContain("write:orders");
    expect(refused.headers.get("x-request-id")).toMatch(/^req-/);
  });

  it("is of the world that it is called on", async () => {
    await using simulator = await startSimulator();
    await using world = await simulator.world();
    await world.request("POST", "/order", { body: limitBuy() });
    expect((await world.request("GET", "/order/open")).data).toHaveLength(1);
    expect((await simulator.request("GET", "/order/open")).data).toHaveLength(0);
  });

  it("names the keys when there is none of that name", async () => {
    await using simulator = await startSimulator();
    await expect(simulator.request("GET", "/order/open", { key: "tradre" })).rejects.toThrow(
      'There is no key "tradre": did you mean "trader"?',
    );
  });
});
