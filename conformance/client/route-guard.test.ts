import { describe, expect, it } from "vitest";
import type { SentRequest } from "../model/exchange.ts";
import type { Profile } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { Egress } from "./egress.ts";

const made = plainProfile("https://gw.example/api/v1/trading", "kid", "secret");
if (typeof made === "string") throw new Error(made);
const placeOrder = made.operations["placeOrder"];
if (typeof placeOrder !== "object") throw new Error("placeOrder is specified");
const cancelOrder = { ...placeOrder, method: "DELETE", path: "/order/{id}" };
const depositAddress = { ...placeOrder, method: "POST", path: "/wallet/{asset}/address" };
const remote: Profile = {
  ...made,
  loopback: false,
  kind: "staging",
  allowHosts: ["gw.example"],
  operations: { ...made.operations, cancelOrder, depositAddress },
};
const made1 = "3b241101-e2bb-4255-8caf-4136c566a962";

function problem(
  method: string,
  path: string,
  body: object | string = "",
  profile = remote,
): string | undefined {
  const egress = new Egress(profile);
  egress.madeUp.add(made1);
  egress.ledger.placed.add("ORD 1");
  const request: SentRequest = {
    method,
    path: `/api/v1/trading${path}`,
    headers: [["Host", "gw.example"]],
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
    role: "trader",
    permit: { caseId: "case", safety: "reject-only", malformed: false },
  };
  return egress.problem(request);
}

/** Requests that change something, and that no operation of the profile is. */
const foreign: readonly (readonly [method: string, path: string, body: object | string])[] = [
  ["DELETE", "/order", ""],
  ["DELETE", "/order/open", ""],
  ["POST", "/order/cancel-all", ""],
  ["POST", "/order/x/cancel", ""],
  ["PUT", "/order", {}],
  ["PATCH", "/order/x/edit", { price: "1", size: "2" }],
  ["PATCH", "/order/open", { all: "cancel" }],
  ["POST", "/wallet/withdrawal", { asset: "BTC", amount: "1", address: "x" }],
  ["POST", "/wallet/BTC/address/transfer", {}],
  ["POST", "/account/keys", { claims: ["write:orders"] }],
  ["POST", "/orders", { side: "BUY" }],
  ["POST", "/order/batch", { orders: [{ s: "BUY", t: "LIMIT", q: "1", p: "1" }] }],
  ["delete", `/order/${made1}`, ""],
  ["PURGE", "/order/open", ""],
  ["DELETE", `/order/${made1}/../../wallet`, ""],
];

describe("a request that changes something beyond this machine", () => {
  it.each(foreign)("goes to no route that nobody has mapped: %s %s", (method, path, body) => {
    expect(problem(method, path, body)).toMatch(/safety\.paths: \['|no order of this run/);
  });

  it.each([["another's"], ["3b241101-e2bb-4255-8caf-4136c566a963"], ["%6frd"]])(
    "cancels no order that this run has not placed: %s",
    (id) => {
      expect(problem("DELETE", `/order/${id}`)).toContain("is no order of this run");
      expect(problem("DELETE", `/order/${id}?x=1`)).toContain("is no order of this run");
    },
  );

  it("cancels an order of the run, or one that it has made up", () => {
    expect(problem("DELETE", "/order/ORD%201")).toBeUndefined();
    expect(problem("DELETE", `/order/${made1}?reason=x`)).toBeUndefined();
  });

  it("goes to the routes of the specification, of the profile and of safety.paths", () => {
    expect(problem("POST", "/order", {})).toBeUndefined();
    expect(problem("POST", "/wallet/BTC/address", {})).toBeUndefined();
    expect(problem("PUT", "/order/open")).toBeUndefined();
    const paths = ["POST /wallet/transfer", "DELETE /alerts/{id}"];
    const opened = { ...remote, safety: { ...remote.safety, paths } };
    expect(problem("POST", "/wallet/transfer", {}, opened)).toBeUndefined();
    expect(problem("DELETE", "/alerts/7", "", opened)).toBeUndefined();
    expect(problem("DELETE", "/alerts/7/all", "", opened)).toContain("safety.paths");
  });

  it("goes anywhere on this machine, and reads go anywhere", () => {
    const ours: Profile = { ...remote, loopback: true, kind: "local" };
    for (const [method, path, body] of foreign) expect(problem(method, path, body, ours)).toBeUndefined();
    expect(problem("GET", "/anything")).toBeUndefined();
  });
});
