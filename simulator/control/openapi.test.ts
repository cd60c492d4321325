import { beforeAll, describe, expect, it } from "vitest";
import { defaultClaims } from "../auth/claims.ts";
import { openApiTexts } from "../http/openapi.ts";
import { tradingRoutes } from "../http/routes/all.ts";
import { type Content, type OpenApi, type Operation, resolve } from "../http/testing/openapi.ts";
import { lint } from "../http/testing/redocly.ts";
import { faults, newAjv } from "../wire/testing/ajv.ts";
import { allControls } from "./all-controls.ts";
import { controlDocument } from "./openapi.ts";

const made = () => controlDocument({ version: "0.1.0", prefix: "/__gatewright", host: "localhost:4711" });
// as: the shape that this file then looks at.
const document = JSON.parse(JSON.stringify(made())) as OpenApi;

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

const ajv = newAjv({ schemas: document.components.schemas });

describe("The OpenAPI document of the controls", () => {
  it("is the same every time", () => {
    expect(JSON.stringify(made())).toBe(JSON.stringify(document));
  });

  it("has every control and no other", () => {
    expect(operations.map(([name]) => name).sort()).toEqual(
      allControls.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it("asks for the token everywhere but for the health", () => {
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    expect(open).toEqual(["GET /health"]);
    expect(document.security).toEqual([{ ControlToken: [] }]);
    expect(document.components.securitySchemes).toMatchObject({ ControlToken: { scheme: "bearer" } });
  });

  it("leaves no word of ours in its schemas", () => {
    for (const word of ["patternErrorMessage", "discriminator", '"unit"'])
      expect(JSON.stringify(document)).not.toContain(word);
  });

  it("describes every member of every body", () => {
    const silent = operations.flatMap(([name, { requestBody }]) => {
      const { properties = {} } = requestBody?.content["application/json"].schema ?? {};
      return Object.entries(properties).flatMap(([member, schema]) =>
        schema.description === undefined && schema.$ref === undefined ? [`${name} ${member}`] : [],
      );
    });
    expect(silent).toEqual([]);
  });

  it.each(operations)("shows examples of %s that its schemas accept", (_name, operation) => {
    const check = ({ "application/json": { schema, examples } }: Content): void => {
      expect(Object.keys(examples).length).toBeGreaterThan(0);
      for (const [name, example] of Object.entries(examples))
        expect(faults(schema, resolve(document, example).value, ajv), name).toEqual([]);
    };
    if (operation.requestBody !== undefined) check(operation.requestBody.content);
    for (const response of Object.values(operation.responses)) check(resolve(document, response).content);
  });

  it("names the parameters of every path", () => {
    for (const [name, { parameters = [] }] of operations) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, id]) => ({
        name: id,
        in: "path",
        required: true,
      }));
      expect(parameters.filter((one) => one["in"] === "path").map((one) => ({ ...one }))).toEqual(
        inPath.map((one) => expect.objectContaining(one)),
      );
    }
  });

  it("puts a code under the status that it has", () => {
    for (const [name, { responses }] of operations)
      for (const [status, response] of Object.entries(responses))
        for (const example of Object.values(resolve(document, response).content["application/json"].examples))
          expect(resolve(document, example).value, name).toMatchObject({ statusCode: Number(status) });
  });
});

/** One start of it looks at the documents of the interface, too. */
describe("Redocly's linter", () => {
  let said: string[][] = [];
  beforeAll(async () => {
    const textOf = openApiTexts({ routes: tradingRoutes, claims: defaultClaims, server: "/api/v1/trading" });
    const [signed, unsigned] = [true, false].map((signed): unknown => JSON.parse(textOf({ signed })));
    said = await lint(document, signed, unsigned, poor(structuredClone(signed)));
  });

  it("finds nothing to say about the controls, nor about the interface, signed or not", () => {
    expect(said.slice(0, 3)).toEqual([[], [], []]);
  });

  it("would say it", () => {
    expect(said[3]).toEqual(
      expect.arrayContaining([
        expect.stringContaining("operation-description"),
        expect.stringContaining("operation-operationId-unique"),
      ]),
    );
  });

  function poor(document: unknown): unknown {
    // as: the shape of a document of OpenAPI.
    const { paths } = document as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const order = paths["/order"]?.["post"] ?? {};
    order["description"] = "";
    order["operationId"] = "listOrders";
    return document;
  }
});
