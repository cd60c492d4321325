/** Asks a running venue, and holds every answer against what its OpenAPI document promises. */
import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { defaultClaims } from "../../auth/claims.ts";
import { sign } from "../../auth/testing/sign.ts";
import type { Simulator } from "../../index.ts";
import { faults } from "../../wire/testing/ajv.ts";
import { openApiDocument } from "../openapi.ts";
import { tradingRoutes } from "../routes/all.ts";
import { type OpenApi, resolve } from "./openapi.ts";

const apiPrefix = "/api/v1/trading";
const source = { routes: tradingRoutes, claims: defaultClaims, server: apiPrefix };
// as: the document as this file reads it.
export const document = openApiDocument(source, { signed: true }) as unknown as OpenApi;

export interface Asked {
  readonly key?: string;
  readonly body?: unknown;
  /** Sent as it is, and not signed where null. */
  readonly headers?: Readonly<Record<string, string>> | null;
}

export interface Answered {
  readonly status: number;
  readonly code: unknown;
  readonly data: unknown;
}

/** Operations with the statuses that they have answered. */
export const covered = new Set<string>();

/** Sends a request to an operation (`GET /order/{id}`) and holds the answer against the document. */
export async function ask(
  simulator: Simulator,
  name: string,
  path: string,
  { key = "trader", body, headers }: Asked = {},
): Promise<Answered> {
  const [method = "GET", template = ""] = name.split(" ");
  const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
  const signed =
    headers === null ? {} : signedHeaders(simulator, key, method, path.split("?", 1)[0] ?? "", text);
  const response = await fetch(simulator.baseUrl + path, {
    method,
    headers: { ...signed, ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
  const payload: unknown = await response.json();
  const { status } = response;
  covered.add(`${name} ${status}`);
  const promised = document.paths[template]?.[method.toLowerCase()]?.responses[String(status)];
  expect(
    promised,
    `${name} answered ${status}, which is not documented: ${JSON.stringify(payload)}`,
  ).toBeDefined();
  const { content, headers: documented } = resolve(document, promised);
  const { schema, examples } = content["application/json"];
  expect(faults(schema, payload), `${name} ${status} ${JSON.stringify(payload)}`).toEqual([]);
  for (const header of Object.keys(documented)) {
    // No rate is limited by default, and these requests hold nothing that is not used.
    if (!header.startsWith("X-RateLimit") && header !== "X-Gatewright-Ignored")
      expect(response.headers.get(header), `${name} ${status} ${header}`).not.toBeNull();
  }
  // as: the schema has just been checked.
  const { code, data } = payload as { readonly code?: unknown; readonly data?: unknown };
  if (code !== undefined)
    expect(Object.keys(examples).map((example) => example.replace(/_\d+$/, ""))).toContain(code);
  return { status, code, data };
}

function signedHeaders(
  simulator: Simulator,
  name: string,
  method: string,
  path: string,
  body: string | undefined,
): Record<string, string> {
  const key = simulator.keys.find((candidate) => candidate.name === name);
  if (key === undefined) throw new Error(`the world has no key ${name}`);
  const { keyId, timestamp, nonce, signature } = sign({
    keyId: key.keyId,
    secret: key.secret,
    timestamp: Date.now(),
    nonce: randomUUID(),
    method,
    path: apiPrefix + path,
    ...(body === undefined ? {} : { body }),
  });
  return {
    "X-API-KEY": keyId,
    "X-API-TIMESTAMP": timestamp,
    "X-API-NONCE": nonce,
    "X-API-SIGNATURE": signature,
    "Content-Type": "application/json",
  };
}
