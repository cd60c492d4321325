/** Wrong in one thing: takes the open orders for an array. */
import { call, expect, limitBuy, place } from "./careful.mjs";

await place(limitBuy());
const { data } = await call("GET", "/order/open");
expect(Array.isArray(data), `the open orders are ${typeof data}`);
