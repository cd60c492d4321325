/** A world for load: no match delay, no rate limits, deep pockets, an empty market, one client and its key. */
export function loadWorldFile(syncDelayMs: number) {
  return {
    extends: "demo",
    settings: { matchDelayMs: 0, syncDelayMs, maxOpenOrders: 1_000_000, rateLimit: { enabled: false } },
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
}
