/** The simulator with a world for load: no match delay, no rate limits, deep pockets, an empty market. */
import { startSimulator } from "../../simulator/index.ts";
import { ready } from "../lib/ready.ts";

const [, , db = ":memory:"] = process.argv;
const world = {
  extends: "demo",
  settings: { matchDelayMs: 0, syncDelayMs: 1000, maxOpenOrders: 1_000_000, rateLimit: { enabled: false } },
  products: [
    {
      id: "BTC-USD",
      baseIncrement: "0.00000001",
      priceIncrement: "0.01",
      referencePrice: "55000",
      liquidity: { mode: "empty" },
    },
  ],
  clients: [
    {
      name: "loader",
      feeModel: "ALL_IN",
      makerRate: "0.0025",
      takerRate: "0.0025",
      balances: { USD: "90000000", BTC: "900000" },
    },
  ],
  keys: [{ name: "trader", client: "loader", claims: ["write:orders", "read:orders"] }],
};
const simulator = await startSimulator({ db, world, onNotice: (sentence) => console.error(sentence) });
ready(Number(new URL(simulator.baseUrl).port));
