import type { WrittenStep } from "../model/language.ts";
import type { Tuple } from "./covering-array.ts";
import { again, clausesOf, firstJudged, ifTaken, signedAgain, stamped, stamps } from "./nonce-window.ts";
import type { Plan, Situation } from "./property.ts";
import { type Table, tableProperty } from "./table.ts";
import { call } from "./templates.ts";

/**
 * P-37: P-06 for requests and handshakes together, also after the stream that used the nonce has closed.
 * Table: the first use of the nonce (a read, or a stream that stays open or is closed), its time within the accepted
 * window, and the second use.
 * Oracle: a first use is answered or opens the stream, a reuse does not. Safety: reads only.
 */
const table: Table = {
  id: "P-37",
  title: "A nonce is accepted once, for requests and handshakes together",
  spec: ["EVT-04", "EVT-05"],
  safety: "read",
  requires: { capabilities: ["ws"] },
  cost: { requests: 3, orders: 0 },
  staging: 6,
  dimensions: {
    first: ["read", "open stream", "closed stream"],
    second: ["read", "handshake"],
    again: [...again].reverse(),
    stamp: stamps,
  },
  strength: 2,
  closer: [{ first: "closed stream" }],
  cannot: ({ first, second, again: how }) => {
    if (first === "read" && second === "read") return "reads alone are in P-06";
    const same = (first === "read") === (second === "read");
    return how === "the same bytes" && !same ? "the same bytes open what they opened" : undefined;
  },
  // A stream that was not opened cannot be closed.
  lacks: ({ first, stamp }, { profile }) =>
    first === "closed stream" && stamp !== "now" && profile.auth.clockToleranceMs === undefined
      ? "the profile does not say how far off a timestamp may be (auth.clockToleranceMs)"
      : undefined,
  plan: planOf,
};

export const oneNonceForBoth = tableProperty(table);

function planOf(tuple: Tuple, { profile }: Situation): Plan {
  const { first = "", second, again: how = "", stamp = "" } = tuple;
  const sign = stamped(stamp, profile);
  const closing: WrittenStep[] =
    first === "closed stream" ? [{ id: "closed", ws: { close: {}, on: "first" } }] : [];
  return {
    steps: [
      first === "read"
        ? call("use1", "openOrders", sign, firstJudged(stamp, { status: "2xx" }, "AUTH-26"))
        : {
            id: "use1",
            ws: { connect: sign, on: "first" },
            ...firstJudged(stamp, { status: 101 }, "EVT-02"),
          },
      ...closing,
      reuse(second === "read", first === "read", how, stamp),
    ],
  };
}

function reuse(byRead: boolean, ofRead: boolean, how: string, stamp: string): WrittenStep {
  const taken = ofRead ? "200" : "101";
  const signed = signedAgain(how, "use1");
  if (!byRead)
    return {
      id: "use2",
      spec: [ofRead ? "EVT-05" : "EVT-04"],
      ws: { connect: { ...signed, settle: "2s" }, on: "second" },
      expect: ifTaken(stamp, "use1", taken, { $macro: "turnedAway" }),
    };
  return call("use2", "openOrders", signed, {
    spec: ["EVT-05", ...clausesOf(how)],
    expect: ifTaken(stamp, "use1", taken, { $macro: "refused" }),
  });
}
