/** Wrong in one thing: compares amounts as texts. */
import { call, expect, limitBuy, place } from "./careful.mjs";

const { id } = await place(limitBuy());
const { data } = await call("GET", `/order/${id}`);
expect(data.limitPrice === "30000", `the price is ${data.limitPrice}`);
