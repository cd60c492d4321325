/** Wrong in one thing: takes the answer to a cancel for its end. */
import { call, expect, limitBuy, place } from "./careful.mjs";

const { id } = await place(limitBuy());
const { status, data } = await call("DELETE", `/order/${id}`);
// 409: an answer was lost, and the order has ended.
expect(status === 409 || data.status === "CANCELLED", `the order is ${data?.status} after its cancel`);
