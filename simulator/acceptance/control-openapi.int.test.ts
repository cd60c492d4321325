/** The document of the controls against a running sandbox: every route, every example, every refusal. */
import { beforeAll, describe, expect, test } from "vitest";
import { controlRoutes } from "../control/all-controls.ts";
import type { ControlRoute, Params } from "../control/control-route.ts";
import { nonsense } from "../control/openapi.ts";
import { type ErrorCode, errorStatus } from "../http/errors.ts";
import { type Content, type OpenApi, type Operation, resolve } from "../http/testing/openapi.ts";
import { asObject, exchange, type Json, type Reply } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, uuidFrom, type Venue } from "../testing/venue.ts";
import { faults, newAjv } from "../wire/testing/ajv.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

/** The same at every venue, so it is made once. */
let document: OpenApi;
let ajv: ReturnType<typeof newAjv>;
/** At the venue of all tests, where nothing but reads is answered, so that they stay. */
let known: Params;
beforeAll(async () => {
  document = await documentOf(venue());
  ajv = newAjv({ schemas: document.components.schemas });
  known = await existing(venue());
});

async function documentOf(running: Venue): Promise<OpenApi> {
  const { control } = running.simulator;
  const reply = await fetch(`${control?.url ?? ""}/control.json`);
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
  // as: the shape that this file then looks at.
  return (await reply.json()) as OpenApi;
}

function operationOf({ method, path }: ControlRoute): Operation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

/** The names of one thing each that exists. */
async function existing(running: Venue): Promise<Params> {
  const { id: order = "" } = await running.placed(limitBuy());
  const { id: pending = "" } = await running.placed(limitBuy({ client_order_id: uuidFrom("00000e04") }));
  const { headers } = await running.trader.get("/order/open");
  const deposit = await running.control("/clients/alice/deposits", { asset: "BTC", amount: "0.5" });
  return {
    product: "BTC-USD",
    client: "alice",
    key: "reader",
    order: String(order),
    pending: String(pending),
    deposit: String(deposit["id"]),
    freedom: "F-self-trade",
    requestId: String(headers["x-request-id"]),
    seq: "1",
    trade: "1",
    rule: "lost",
  };
}

async function call(running: Venue, route: ControlRoute, body: unknown, params: Params): Promise<Reply> {
  if (route.path.startsWith("/trades"))
    await running.control("/products/BTC-USD/trades", { price: "60000", quantity: "0.001" });
  if (route.path.startsWith("/faults/rules/"))
    await running.control("/faults/rules", { id: "lost", outcome: "LOST_ANSWER" });
  // A fill needs an order in the book.
  if (route.path.endsWith("/fill")) await running.settle();
  const exchangeIsAsked = /\/(confirm|reject|hold)$/.test(route.path);
  const order = params[exchangeIsAsked ? "pending" : "order"];
  const thing = route.path.startsWith("/deposits") ? params["deposit"] : order;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(params[name] ?? thing));
  // as: the body is JSON, or absent.
  return running.controlReply(path, (body ?? {}) as Json, route.method);
}

const named = controlRoutes.map((route) => ({ name: `${route.method} ${route.path}`, route }));

test("every route below /__gatewright is a control of the document or a page", async () => {
  const { control, baseUrl } = venue().simulator;
  const unknown = await fetch(`${control?.url ?? ""}/nowhere`);
  const [, list = ""] = String(asObject(await unknown.json())["message"]).split("there are ");
  const served: string[] = [];
  for (const path of list.replace(/\.$/, "").split(", ")) {
    const target = `/__gatewright${path.replaceAll(/\{\w+\}/g, "x")}`;
    const reply = await exchange(baseUrl, { method: "OPTIONS", target, headers: {}, body: "" });
    served.push(
      ...String(reply.headers["allow"])
        .split(", ")
        // A read can be asked for with HEAD, too.
        .filter((method) => method !== "HEAD")
        .map((method) => `${method} ${path}`),
    );
  }
  const { paths: documented } = document;
  const controls = Object.entries(documented).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const pages = [
    "asyncapi.json",
    "console",
    "console/assets/{asset}",
    "control.json",
    "docs",
    "docs/{asset}",
    "feed",
    "guide",
    "guide/*",
    "guide/guide.css",
    "guide/search",
    "metrics",
    "openapi.json",
    "openapi.yaml",
  ];
  expect(served.sort()).toEqual([...controls, ...pages.map((page) => `GET /${page}`)].sort());
});

describe.each(named)("$name", ({ route }) => {
  test("takes its documented example, and answers as documented", async () => {
    const { requestBody, responses } = operationOf(route);
    const shown = requestBody?.content["application/json"].examples["example"];
    const body = shown === undefined ? {} : resolve(document, shown).value;
    const reply = await (route.method === "GET"
      ? call(venue(), route, body, known)
      : withWorld({}, async (running) => call(running, route, body, await existing(running))));
    expect(reply.status).toBe(200);
    const { schema } = resolve(document, responses["200"]).content["application/json"];
    expect(faults(schema, { ...reply.body, message: "Done" }, ajv)).toEqual([]);
  });

  test("refuses what is documented as refused, in those words", async () => {
    const met = new Set<string>();
    for (const { code, isExact, reply } of await refusals(venue(), route)) {
      const response = operationOf(route).responses[errorStatus[code]];
      const { examples } = resolve(document, response).content["application/json"];
      const shown = valuesOf(examples);
      const same = shown.filter((one) => one["code"] === code);
      expect(same.length).toBeGreaterThan(0);
      const said = ({ message, details }: Readonly<Record<string, unknown>>): unknown => ({
        message,
        details,
      });
      if (isExact) expect(same.map(said)).toContainEqual(said(reply.body));
      expect(reply.body).toMatchObject({ code, statusCode: errorStatus[code] });
      met.add(code);
    }
    // Every code under 400 that the document names has been met.
    const bad = operationOf(route).responses["400"];
    const { examples } = resolve(document, bad).content["application/json"];
    const codes = valuesOf(examples).map((one) => one["code"]);
    expect(codes.filter((code) => !met.has(String(code)))).toEqual([]);
  });
});

const valuesOf = (examples: Content["application/json"]["examples"]) =>
  // as: the body of an error is an object.
  Object.values(examples).map((one) => resolve(document, one).value as Readonly<Record<string, unknown>>);

interface Refused {
  readonly code: ErrorCode;
  readonly reply: Reply;
  /** Whether the document has the very message, and not one of several. */
  readonly isExact: boolean;
}

/** The documented refusals of a control, each met. */
async function refusals(running: Venue, route: ControlRoute): Promise<readonly Refused[]> {
  const found: Refused[] = [];
  for (const { code, body = route.body?.example, params } of route.refusals ?? [])
    found.push({ code, isExact: true, reply: await call(running, route, body, { ...known, ...params }) });
  const { control } = running.simulator;
  if (route.query !== undefined)
    found.push({
      code: "INVALID_QUERY",
      isExact: false,
      reply: await running.controlReply(`${route.path}?nonsense=1`, {}, route.method),
    });
  const raw = (payload: string): Promise<Reply> =>
    exchange(control?.url ?? "", {
      method: route.method,
      target: `/__gatewright${route.path.replaceAll(/\{\w+\}/g, "x")}`,
      headers: {
        authorization: `Bearer ${control?.token ?? ""}`,
        "content-type": "application/json",
        "content-length": String(payload.length),
      },
      body: payload,
    });
  if (route.method === "GET" || route.method === "DELETE")
    return [
      ...found,
      { code: "UNEXPECTED_BODY", isExact: false, reply: await raw(JSON.stringify(nonsense)) },
    ];
  const deep = `${'{"a":'.repeat(200)}1${"}".repeat(200)}`;
  return [
    ...found,
    { code: "VALIDATION_FAILED", isExact: true, reply: await call(running, route, nonsense, known) },
    { code: "MALFORMED_JSON", isExact: false, reply: await raw("{") },
    { code: "JSON_NOT_ACCEPTED", isExact: false, reply: await raw(deep) },
  ];
}
