/** Wrong in one thing: takes every new order for OPEN. */
import { expect, limitBuy, place } from "./careful.mjs";

const { status } = await place(limitBuy());
expect(status === "OPEN", `the new order is ${status}`);
