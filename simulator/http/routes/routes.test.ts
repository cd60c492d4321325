import { describe, expect, it } from "vitest";
import { defaultClaims } from "../../auth/claims.ts";
import type { Schema } from "../../schema/fields.ts";
import { schemaComponents } from "../../wire/components.ts";
import { specFields } from "../../wire/testing/spec-data.ts";
import { errorStatus } from "../errors.ts";
import { healthPaths } from "../openapi/health.ts";
import { tradingRoutes } from "./all.ts";

const nameOf = (schema?: Schema): string | undefined => schema?.$ref?.replace("#/components/schemas/", "");

const health = Object.keys(healthPaths).map((path) => `GET ${path}`);

describe("The trading routes", () => {
  it("are those of the route table, with the probes", () => {
    const ours = [...tradingRoutes.map(({ method, path }) => `${method} ${path}`), ...health];
    expect(ours.sort()).toEqual(specFields.routes.map(({ method, path }) => `${method} ${path}`).sort());
    expect(new Set(ours).size).toBe(ours.length);
  });

  it.each(specFields.routes.filter(({ data }) => data !== "Health"))(
    "$method $path answers with $data",
    ({ method, path, data, request, status = 200 }) => {
      const route = tradingRoutes.find((candidate) => candidate.method === method && candidate.path === path);
      const { schema, status: answered = 200 } = route?.answer ?? {};
      expect(schema?.items === undefined ? nameOf(schema) : `array of ${nameOf(schema.items)}`).toBe(data);
      expect(answered).toBe(status);
      expect(nameOf(route?.body?.shape)).toBe(request);
    },
  );

  it("name schemas and codes that exist, each code once", () => {
    for (const { answer, body, refusals, operationId } of tradingRoutes) {
      expect(schemaComponents, operationId).toHaveProperty(
        nameOf(answer.schema.items ?? answer.schema) ?? "",
      );
      if (body !== undefined) expect(schemaComponents, operationId).toHaveProperty(nameOf(body.shape) ?? "");
      expect(new Set(refusals).size, operationId).toBe(refusals.length);
    }
    expect(new Set(tradingRoutes.map(({ operationId }) => operationId)).size).toBe(tradingRoutes.length);
  });
});

describe("The claim table", () => {
  it("is that of the specification data, route by route", () => {
    const ours = Object.fromEntries(defaultClaims);
    const theirs = specFields.claims.routes.map(({ route, claim, anyOf, signed }) => [
      route,
      signed === false ? null : (anyOf ?? [claim]),
    ]);
    expect(ours).toEqual(Object.fromEntries(theirs));
  });
});

describe("The table of errors", () => {
  it("has every code of the specification data under its status", () => {
    for (const [status, codes] of Object.entries(specFields.errorCodes.byStatus)) {
      for (const code of codes) {
        // On a read an unknown product is 404 (F-unknown-product); the table holds the status for an order.
        if (code === "PRODUCT_NOT_FOUND" && status === "404") continue;
        expect(errorStatus, code).toHaveProperty(code, Number(status));
      }
    }
  });
});
