import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type Order, OwnOrders } from "./own-orders.ts";

const order = (status: string): Order => ({
  id: "o-1",
  clientOrderId: "mine",
  status,
  filledQuantity: null,
  averageFilledPrice: null,
});

describe("An answer that races the stream", () => {
  it("is taken where the stream was silent meanwhile", async () => {
    const orders = new OwnOrders();
    expect(await orders.ask("mine", () => Promise.resolve(order("OPEN")))).toMatchObject({ status: "OPEN" });
    expect(orders.get("mine")?.status).toBe("OPEN");
    orders.event(order("FILLED"), 2);
    expect(orders.get("mine")?.status).toBe("FILLED");
  });

  it.each([
    ["event", (orders: OwnOrders) => orders.event(order("FILLED"), 2)],
    ["snapshot", (orders: OwnOrders) => void orders.snapshot([order("FILLED")])],
  ])("does not undo an %s that came first", async (_what, speak) => {
    const orders = new OwnOrders();
    await orders.ask("mine", () => {
      speak(orders);
      return Promise.resolve(order("OPEN"));
    });
    expect(orders.get("mine")?.status).toBe("FILLED");
  });

  it("does not undo an event that came first, in Python, either", ({ skip }) => {
    const program = `
from own_orders import OwnOrders
def order(status): return {"id": "o-1", "clientOrderId": "mine", "status": status}
for speak in [lambda o: o.event(order("FILLED"), 2), lambda o: o.snapshot([order("FILLED")]), lambda o: None]:
    orders = OwnOrders()
    orders.ask("mine", lambda: speak(orders) and None or order("OPEN"))
    print(orders.get("mine")["status"])
`;
    const env = { ...process.env, PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout, error } = spawnSync("python3", ["-c", program], { env, encoding: "utf8" });
    skip(error !== undefined, "there is no python3 on this machine");
    expect(stdout.split("\n")).toEqual(["FILLED", "FILLED", "OPEN", ""]);
  });
});
