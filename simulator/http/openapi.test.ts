import { describe, expect, it } from "vitest";
import { defaultClaims } from "../auth/claims.ts";
import { type AuthSettings, defaultAuthSettings } from "../domain/auth-settings.ts";
import { faults } from "../wire/testing/ajv.ts";
import { specFields } from "../wire/testing/spec-data.ts";
import { errorStatus } from "./errors.ts";
import { type DocumentedVenue, defaultVenue } from "./openapi/prose.ts";
import { otherCodes, refusalTexts } from "./openapi/refusal-texts.ts";
import { openApiDocument, openApiTexts } from "./openapi.ts";
import { tradingRoutes } from "./routes/all.ts";
import { type Content, type OpenApi, type Operation, resolve } from "./testing/openapi.ts";

const source = { routes: tradingRoutes, claims: defaultClaims, server: "/api/v1/trading" };
const textOf = openApiTexts(source);
// as: the shape that this file then looks at.
const documentOf = (signed: boolean): OpenApi => JSON.parse(textOf({ signed })) as OpenApi;
const document = documentOf(true);

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

describe("The OpenAPI document", () => {
  it("is the same text every time", () => {
    expect(textOf({ signed: true })).toBe(openApiTexts(source)({ signed: true }));
    expect(textOf({ signed: true })).toBe(textOf({ signed: true }));
    expect(JSON.parse(textOf({ signed: false }))).toEqual(openApiDocument(source, { signed: false }));
  });

  it("explains signing as the venue checks it, and shows the host that was asked", () => {
    const said = (auth: Partial<AuthSettings>, host?: string): string => {
      const venue = { ...defaultVenue, auth: { ...defaultAuthSettings, ...auth } };
      const variant = host === undefined ? { signed: true } : { signed: true, host };
      // as: the shape that this file then looks at.
      return (openApiDocument({ ...source, venue }, variant) as unknown as OpenApi).info.description;
    };
    expect(said({})).toContain("4. the path with its prefix and without the query string");
    expect(said({ signedPath: "path-and-query" })).toContain("order/open?product=BTC-USD");
    expect(said({ signedPath: "path-and-query" })).not.toContain("without the query string");
    expect(said({ signedPath: "either" })).toContain("with or without the query string");
    expect(said({ nonceFormat: "any" })).toContain("2. a nonce: printable text");
    expect(said({ strictHexCase: true })).toContain("in lower-case hex. Send it");
    expect(said({ requireContentTypeAlways: true })).toContain(
      "with every request, also where there is no body",
    );
    expect(said({ clockWindowMs: 5000 })).toContain("5000 ms from the clock");
    expect(said({}, "localhost:4711")).toContain('"http://localhost:4711$path"');
  });

  it("describes the treatment of unknown names", () => {
    const said = (more: Partial<DocumentedVenue>): string =>
      // as: the shape that this file then looks at.
      (
        openApiDocument(
          { ...source, venue: { ...defaultVenue, ...more } },
          { signed: true },
        ) as unknown as OpenApi
      ).info.description;
    expect(said({})).toContain("so is a parameter that the operation does not have");
    expect(said({ unknownQuery: "ignore" })).toContain(
      "a parameter that the operation does not have is ignored",
    );
    expect(said({})).toContain("Unknown fields of a body are ignored");
    expect(said({ unknownFields: "reject" })).toContain("Unknown fields of a body are refused");
  });

  it("has every route of the interface, and its claims", () => {
    const claims = specFields.claims.routes.map(({ route, claim, anyOf, signed }) => [
      route,
      signed === false ? undefined : (anyOf ?? [claim]),
    ]);
    expect(Object.fromEntries(operations.map(([name, operation]) => [name, operation["x-claims"]]))).toEqual(
      Object.fromEntries(claims),
    );
  });

  it.each(operations)("shows examples of %s that its schemas accept", (_name, operation) => {
    const contents = [
      ...Object.values(operation.responses).map((response) => resolve(document, response).content),
      operation.requestBody?.content,
    ];
    for (const content of contents) {
      if (content !== undefined) checkExamples(content);
    }
  });

  function checkExamples({ "application/json": { schema, examples } }: Content): void {
    expect(Object.keys(examples).length).toBeGreaterThan(0);
    for (const [name, example] of Object.entries(examples))
      expect(faults(schema, resolve(document, example).value), name).toEqual([]);
  }

  it("shows an example of every outcome of placing an order", () => {
    const { examples } = resolve(document, operationOf("POST /order").responses["200"]).content[
      "application/json"
    ];
    expect(Object.keys(examples)).toEqual(specFields.enums["ResultType"]?.values);
  });

  it("puts a code under the status that it has", () => {
    for (const [name, { responses }] of operations) {
      for (const [status, response] of Object.entries(responses)) {
        const { examples } = resolve(document, response).content["application/json"];
        for (const example of Object.values(examples)) {
          const { value } = resolve(document, example);
          expect(value, name).toMatchObject({ statusCode: Number(status), success: status.startsWith("2") });
        }
      }
    }
  });

  it("says 404 for an unknown product in the address, and 400 for one in an order", () => {
    const statusesOf = (name: string): string[] =>
      Object.entries(operationOf(name).responses)
        .filter(([, response]) => JSON.stringify(resolve(document, response)).includes("PRODUCT_NOT_FOUND"))
        .map(([status]) => status);
    expect(statusesOf("POST /order")).toEqual(["400"]);
    for (const path of [
      "/product/{product}",
      "/product/{product}/candles",
      "/order-book/{product}",
      "/account/fee",
    ])
      expect(statusesOf(`GET ${path}`), path).toEqual(["404"]);
  });

  it("asks signed operations for the four headers of the interface, and the probes for nothing", () => {
    const schemes = document.components.securitySchemes ?? {};
    const headers = specFields.headers.fields
      .filter(({ name }) => name.startsWith("X-"))
      .map(({ name }) => name);
    expect(Object.values(schemes).map(({ name }) => name)).toEqual(headers);
    expect(document.security.map((needed) => Object.keys(needed))).toEqual([Object.keys(schemes)]);
    const open = operations.filter(([, { security }]) => security?.length === 0).map(([name]) => name);
    expect(open).toEqual(["GET /health/live", "GET /health/ready"]);
  });

  it("comes without security, and otherwise the same, for tools behind a signing proxy", () => {
    const unsigned = documentOf(false);
    expect(unsigned.security).toEqual([]);
    expect(unsigned.components.securitySchemes).toBeUndefined();
    const { securitySchemes: _schemes, ...components } = document.components;
    expect({ ...unsigned.components }).toEqual(components);
    expect(unsigned.paths).toEqual(document.paths);
  });

  it("explains every error code that a client of the trading routes can meet", () => {
    const described = [...Object.keys(refusalTexts), ...otherCodes].sort();
    expect(described).toEqual(Object.keys(errorStatus).sort());
    for (const code of Object.keys(refusalTexts)) expect(document.info.description).toContain(`\`${code}\``);
    for (const code of Object.values(specFields.errorCodes.byStatus).flat())
      expect(refusalTexts).toHaveProperty(code);
  });

  it("describes every parameter, with its other spelling where it has one", () => {
    for (const [name, { parameters = [] }] of operations) {
      for (const parameter of parameters) {
        expect(parameter.description, `${name} ${parameter.name}`).toMatch(/\w/);
        const other = parameter.name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        const spelled = parameter.description.includes(`\`${other}\``);
        expect(spelled, `${name} ${parameter.name}`).toBe(
          parameter.in === "query" && other !== parameter.name,
        );
      }
      const ofPath = parameters.filter((parameter) => parameter.in === "path");
      expect(
        ofPath.every(({ required }) => required),
        name,
      ).toBe(true);
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, id]) => id);
      expect(ofPath.map((parameter) => parameter.name)).toEqual(inPath);
    }
  });

  it("closes every record but the facts of an error and the body of an order", () => {
    const open = Object.entries(document.components.schemas)
      .filter(([, schema]) => schema.type === "object" && schema.additionalProperties !== false)
      .map(([name]) => name);
    expect(open).toEqual(["ErrorDetail"]);
    expect(JSON.stringify(document)).not.toContain('"allOf"');
  });

  // Scalar, which draws the page of the documentation, takes a record for no schema otherwise.
  it("gives every member of a record a type or a reference", () => {
    const typeless = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, { type, $ref }]) => type === undefined && $ref === undefined)
        .map(([member]) => `${name}.${member}`),
    );
    expect(typeless).toEqual([]);
  });

  const operationOf = (name: string): Operation => {
    const found = operations.find(([candidate]) => candidate === name);
    if (found === undefined) throw new Error(`there is no operation ${name}`);
    return found[1];
  };
});
