/** A sandbox in which something has happened: orders in every state, refused requests, deposits. */
import { type Simulator, type SimulatorOptions, startSimulator } from "../index.ts";
import { Client, type JsonObject } from "./client.ts";

export interface Scene {
  readonly simulator: Simulator;
  /** Ends in the token. */
  readonly link: string;
  readonly trader: Client;
  readonly other: Client;
  /** Of an order that rests. */
  readonly resting: string;
  readonly refused: string;
}

/** `marketMs`: how long the market has moved before. An explanation replays all of it. */
export async function setScene(options: SimulatorOptions = {}, marketMs = 900_000): Promise<Scene> {
  const simulator = await startSimulator({ db: ":memory:", port: 0, clock: "manual", ...options });
  const { control } = simulator;
  const link = simulator.readyLine().consoleUrl;
  if (control === null || link === null) throw new Error("the control surface is on");
  const as = (name: string): Client => {
    const key = simulator.keys.find((one) => one.name === name);
    if (key === undefined) throw new Error(`no key ${name}`);
    return new Client(simulator.baseUrl, key, Date.now);
  };
  const [trader, other] = [as("trader"), as("other")];
  await control.clock.advance({ ms: marketMs });
  const place = (client: Client, order: JsonObject) => client.place({ ...limit(), ...order });
  const resting = await place(trader, { price: "59000" });
  await place(trader, { side: "SELL", price: "61000", base_quantity: "0.25" });
  await place(other, { price: "58950", base_quantity: "1.5" });
  await place(other, { type: "LIMIT", price: "62000" });
  await place(trader, {
    client_order_id: `00000e04-0000-4000-8000-${String(Date.now()).slice(-12).padStart(12, "0")}`,
  });
  await control.clock.advance({ ms: 60_000 });
  await place(trader, { price: "1.23456" });
  const refused = await trader.place(limit(), { sign: { method: "post" } });
  return {
    simulator,
    link,
    trader,
    other,
    resting: idIn(resting.data),
    refused: String(refused.headers["x-request-id"]),
  };
}

// as: the answer to an order has it.
const idIn = ({ order }: JsonObject): string => String((order as JsonObject)["id"]);

export const limit = () => ({
  product: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  base_quantity: "0.01",
  price: "59000",
  client_order_id: crypto.randomUUID(),
});
