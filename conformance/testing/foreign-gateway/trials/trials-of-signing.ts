import type { Misbehaves } from "../site.ts";

const nonces = ["ffffffff-ffff-7fff-8fff-ffffffffffff", "0197a2b4-6c00-7a00-8a00-00000000000a"];

/** F-305 to F-311: what went wrong at public gateways with signed texts, nonces and clocks. */
export const trialsOfSigning: Readonly<Record<string, Misbehaves>> = {
  "F-305": async ({ trader }) => {
    const replies = [await trader.place({ note: "me@home" }), await trader.place({ note: { by: "me" } })];
    return replies.every(({ status }) => status === 401);
  },
  "F-306": async ({ trader }) =>
    (await trader.get("/order/open", { timestamp: Date.now() + 1000 })).status === 401,
  "F-307": async ({ trader }) => {
    const replies = [];
    for (const nonce of nonces) replies.push((await trader.get("/order/open", { nonce })).status);
    return replies[0] === 200 && replies[1] === 401;
  },
  "F-308": async ({ trader }) => {
    const timestamp = Date.now();
    await trader.get("/order/open", { timestamp });
    return (await trader.place({}, { timestamp: timestamp - 1 })).status === 401;
  },
  "F-309": async ({ trader }) => (await trader.place({ price: "30000.10" })).status === 401,
  "F-310": async ({ trader }) => (await trader.get("/orders?product=BTC-USD&limit=5")).status === 401,
  "F-311": async ({ trader }) => {
    const body = { product: "LTC-BTC", price: "0.0012", base_quantity: "0.5" };
    return (await trader.place(body, { spoil: () => "0".repeat(64) })).status === 200;
  },
};
