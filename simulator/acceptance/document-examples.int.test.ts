/** A client that knows nothing but the served OpenAPI document, and sends its examples in its order, as tools do. */
import { expect, test } from "vitest";
import { asObject, type Json, type JsonObject, listIn, text } from "../testing/client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, type Venue } from "../testing/venue.ts";

// The order of the examples gets the id that the document shows, because a manual clock keeps the market from acting first.
const demo = useVenue({ world: { extends: "demo" } });

interface Call {
  /** Method and path of the document. */
  readonly name: string;
  readonly method: string;
  readonly route: string;
  readonly query: string;
  /** All that the document shows; one empty where no body is sent. */
  readonly bodies: readonly (Json | undefined)[];
  readonly documented: readonly string[];
}

async function calls(venue: Venue): Promise<Call[]> {
  const reply = await fetch(new URL("/__gatewright/openapi.json", venue.baseUrl));
  return Object.entries(asObject(asObject(await reply.json())["paths"] ?? null)).flatMap(([path, item]) =>
    Object.entries(asObject(item)).map(([method, operation]) => callOf(method, path, asObject(operation))),
  );
}

function callOf(method: string, path: string, operation: JsonObject): Call {
  const parameters = listIn(operation["parameters"]);
  const query = new URLSearchParams();
  let route = path;
  for (const parameter of parameters) {
    const value = exampleOf(parameter);
    if (parameter["in"] === "path") route = route.replace(`{${text(parameter, "name")}}`, String(value));
    else if (value !== undefined) query.set(text(parameter, "name"), String(value));
  }
  const shown = asObject(asObject(asObject(operation["requestBody"])["content"])["application/json"])[
    "examples"
  ];
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    route,
    query: query.toString(),
    bodies:
      shown === undefined ? [undefined] : Object.values(asObject(shown)).map((one) => asObject(one)["value"]),
    documented: Object.keys(asObject(operation["responses"])),
  };
}

/** Of an optional parameter without an example, nothing; of a required one, the first value that it takes. */
function exampleOf(parameter: JsonObject): Json | undefined {
  const schema = asObject(parameter["schema"]);
  const examples = [schema["examples"] ?? asObject(schema["items"])["examples"] ?? []].flat();
  const values = parameter["required"] === true ? [schema["enum"] ?? []].flat() : [];
  return parameter["example"] ?? examples[0] ?? values[0];
}

test("every operation of the document takes the examples of the document", async () => {
  const venue = demo();
  // No request of a client makes a deposit.
  const deposit = { asset: "BTC", amount: "0.5", confirmations: 3 };
  await venue.control("/clients/alice/deposits", deposit);
  const all = await calls(venue);
  expect(all.length).toBeGreaterThan(20);
  const answers: string[] = [];
  for (const { name, method, route, query, bodies, documented } of all)
    for (const body of bodies) {
      const reply = await venue.trader.request(method, route, { body, ...(query === "" ? {} : { query }) });
      expect([name, documented]).toEqual([name, expect.arrayContaining([String(reply.status)])]);
      if (reply.status >= 300) answers.push(`${name} ${reply.status} ${reply.code}`);
    }
  // There are two ways to cancel the one order, and the second comes too late.
  expect(answers).toEqual(["POST /order/{id}/cancel 409 ORDER_NOT_CANCELLABLE"]);
});

test("the ids in the paths are of the newest records of the client", async () => {
  const venue = demo();
  const shown = async (): Promise<unknown> => {
    const ofRecords = (await calls(venue)).filter(({ name }) => /^GET .*\{id\}$/.test(name));
    return ofRecords.map(({ route }) => route);
  };
  for (const round of [1, 2]) {
    const order = await venue.placed(limitBuy());
    const deposit = await venue.control("/clients/alice/deposits", { asset: "ETH", amount: "1" });
    await venue.placed(limitBuy(), "other");
    await venue.control("/clients/bob/deposits", { asset: "ETH", amount: "1" });
    const newest = [`/order/${text(order, "id")}`, `/wallet/deposits/${text(deposit, "id")}`];
    expect([round, await shown()]).toEqual([round, newest]);
  }
});
