import { createHmac } from "node:crypto";
import { describe } from "vitest";
import { canonicalOf, parseRaw, type Reply, rawText, sendRaw, text } from "../../testing/client.ts";
import { limitBuy, uuid, type Venue } from "../../testing/venue.ts";
import { reveals, said } from "./testing/reveal.ts";

const openPath = "/order/open";
const statuses = (...replies: readonly Reply[]): number[] => replies.map(({ status }) => status);
const open = ({ trader }: Venue, options = {}): Promise<Reply> => trader.get(openPath, options);

describe("signatures", () => {
  reveals({
    "A-01": {
      look: async (venue) =>
        statuses(await open(venue), await open(venue, { headers: { "X-API-SIGNATURE": "0".repeat(64) } })),
      honest: [200, 401],
      broken: [200, 200],
    },
    "A-02": {
      look: async ({ trader }) => {
        const first = trader.prepare("GET", openPath);
        const second = { ...first, headers: { ...first.headers, "X-API-NONCE": uuid() } };
        return statuses(await trader.send(first), await trader.send(second));
      },
      honest: [200, 401],
      broken: [200, 200],
    },
    "A-03": {
      look: async (venue) => {
        const id = text(await venue.placed(limitBuy()), "id");
        return (await venue.trader.delete(`/order/${id}`, { sentBody: "{}" })).status;
      },
      honest: 401,
      broken: 200,
    },
    "A-04": {
      look: async ({ trader }) => said(await trader.place(JSON.stringify(limitBuy()) + " ".repeat(5000))),
      honest: "NEW_ORDER",
      broken: 401,
    },
    "A-05": {
      look: async (venue) => (await open(venue, { sign: { path: "/api/v1/trading/order" } })).status,
      honest: 401,
      broken: 200,
    },
    "A-06": {
      look: async (venue) => {
        const timestamp = String(Date.now());
        return (await open(venue, { sign: { timestamp }, headers: { "X-API-TIMESTAMP": `0${timestamp}` } }))
          .status;
      },
      honest: 401,
      broken: 200,
    },
    "A-07": {
      look: async (venue) =>
        (await open(venue, { sign: { nonce: `A${uuid().slice(1).toUpperCase()}` } })).status,
      honest: 200,
      broken: 401,
    },
    "A-08": {
      look: async ({ trader }) => {
        const sent = trader.prepare("GET", openPath);
        const signature = `${String(sent.headers["X-API-SIGNATURE"])}0`;
        return (await trader.send({ ...sent, headers: { ...sent.headers, "X-API-SIGNATURE": signature } }))
          .status;
      },
      honest: 401,
      broken: 200,
    },
    "A-09": {
      look: async ({ trader }) => {
        const sent = trader.prepare("GET", openPath);
        const right = String(sent.headers["X-API-SIGNATURE"]);
        const signature = right.slice(0, 60) + (right.endsWith("0000") ? "ffff" : "0000");
        return (await trader.send({ ...sent, headers: { ...sent.headers, "X-API-SIGNATURE": signature } }))
          .status;
      },
      honest: 401,
      broken: 200,
    },
    "A-10": {
      look: async (venue) => {
        const { id } = await venue.placed(limitBuy());
        return (await venue.trader.delete(`/order/${String(id)}`, { sign: { method: "GET" } })).status;
      },
      honest: 401,
      broken: 200,
    },
    "A-11": {
      look: async ({ trader }) => {
        const timestamp = String(Date.now());
        const nonce = uuid();
        let signature = "";
        const sent = trader.prepare("GET", openPath, {
          sign: { timestamp, nonce },
          canonical: (values) => {
            const canonical = canonicalOf(values);
            signature = createHmac("sha512", trader.credentials.secret).update(canonical).digest("hex");
            return canonical;
          },
        });
        return (await trader.send({ ...sent, headers: { ...sent.headers, "X-API-SIGNATURE": signature } }))
          .status;
      },
      honest: 401,
      broken: 200,
    },
    "A-12": {
      look: async ({ trader }) => said(await trader.place(limitBuy({ note: "e\u0301te\u0301" }))),
      honest: "NEW_ORDER",
      broken: 401,
    },
    "A-13": {
      look: async ({ trader }) => said(await trader.place(`${JSON.stringify(limitBuy())}\n`)),
      honest: "NEW_ORDER",
      broken: 401,
    },
  });
});

describe("nonces", () => {
  reveals({
    "A-14": {
      look: async ({ trader, baseUrl }) => {
        const sent = trader.prepare("GET", openPath);
        const here = [await trader.send(sent), await trader.send(sent)];
        return statuses(...here, parseRaw(await sendRaw(baseUrl, rawText(baseUrl, sent))));
      },
      honest: [200, 401, 401],
      broken: [200, 401, 200],
    },
    "A-15": {
      look: async ({ trader }) => {
        const sign = { nonce: uuid() };
        return statuses(await trader.get(openPath, { sign }), await trader.get("/product", { sign }));
      },
      honest: [200, 401],
      broken: [200, 200],
    },
    "A-16": {
      look: async ({ trader }) => {
        const sent = trader.prepare("GET", openPath);
        const seen = [await trader.send(sent), await trader.send(sent)];
        for (let other = 0; other < 8; other += 1) await trader.get(openPath);
        return statuses(...seen, await trader.send(sent));
      },
      honest: [200, 401, 401],
      broken: [200, 401, 200],
    },
    "A-17": {
      look: async ({ trader }) => {
        const sign = { nonce: uuid() };
        return statuses(await trader.place({}, { sign }), await trader.get(openPath, { sign }));
      },
      honest: [400, 401],
      broken: [400, 200],
    },
    "A-18": {
      look: async ({ trader }) => {
        const sent = trader.prepare("GET", openPath);
        const raced = await Promise.all([trader.send(sent), trader.send(sent), trader.send(sent)]);
        return statuses(...raced).filter((status) => status === 200).length;
      },
      honest: 1,
      broken: 3,
    },
  });
});

describe("callers", () => {
  reveals({
    "A-19": {
      look: async (venue) =>
        (await open(venue, { headers: { "X-API-KEY": venue.trader.credentials.keyId.toUpperCase() } }))
          .status,
      honest: 401,
      broken: 200,
    },
    "A-20": {
      look: async (venue) => {
        const { keyId } = venue.trader.credentials;
        return (await open(venue, { headers: { "X-API-KEY": undefined, "X-Api-Key": keyId } })).status;
      },
      honest: 200,
      broken: 401,
    },
    "A-21": {
      look: async ({ trader }) => {
        const query = `X-API-KEY=${trader.credentials.keyId}`;
        return said(await trader.place(limitBuy(), { query, headers: { "X-API-KEY": undefined } }));
      },
      honest: 401,
      broken: "NEW_ORDER",
    },
    "A-22": {
      look: async (venue) => (await open(venue, { sign: { timestamp: "now" } })).status,
      honest: 401,
      broken: 400,
    },
    "A-23": {
      look: async (venue) => (await open(venue, { sign: { nonce: "" } })).status,
      honest: 401,
      broken: 500,
    },
    "A-24": {
      look: async (venue) => (await open(venue, { sign: { timestamp: `${Date.now()}.0` } })).status,
      honest: 401,
      broken: 200,
    },
    "A-25": {
      look: async (venue) => {
        await venue.placed(limitBuy());
        return said(await venue.as("reader").place(limitBuy()));
      },
      honest: 403,
      broken: "NEW_ORDER",
    },
    "A-26": {
      look: async ({ baseUrl }) => (await fetch(`${baseUrl}${openPath}`)).headers.get("content-type"),
      honest: "application/json; charset=utf-8",
      broken: "text/plain",
    },
    "A-27": {
      look: async ({ trader }) => {
        const order = limitBuy();
        const forged = await trader.place(order, { headers: { "X-API-SIGNATURE": "0".repeat(64) } });
        return [said(forged), said(await trader.place(order))];
      },
      honest: [401, "NEW_ORDER"],
      broken: [401, 400],
    },
    "A-28": {
      look: async (venue) => {
        const id = text(await venue.placed(limitBuy()), "id");
        return (await venue.trader.delete(`/order/${id}`)).status;
      },
      honest: 200,
      broken: 400,
    },
  });
});
