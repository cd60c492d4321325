/** Bugs in claims, routes and connections, and in the product list: M-127 to M-133, M-139 to M-141, M-150, M-160 to M-162, M-188, M-189. */
import type { Authenticator, ReceivedRequest } from "../auth/authenticate.ts";
import type { Caller } from "../auth/keyring.ts";
import { CLAIMS, type Claim } from "../domain/account.ts";
import { ok } from "../domain/result.ts";
import type { Listener } from "../http/listener.ts";
import type { SeamParts } from "../seams.ts";
import { withStatus } from "./answers.ts";
import { type Decorators, type Defect, defect } from "./defect.ts";
import { type Fields, mapBody } from "./json.ts";
import { onlyAccepting, rightlySigned } from "./rightly-signed.ts";

/** Another set of claims than the key has. */
const claiming = (claimsOf: (caller: Caller, request: ReceivedRequest) => readonly Claim[]): Decorators => ({
  authenticator: (inner): Authenticator => ({
    ...inner,
    verify: (screened, request) => {
      const verified = inner.verify(screened, request);
      if (!verified.ok) return verified;
      const { caller, nonce } = verified.value;
      return ok({ caller: { ...caller, claims: claimsOf(caller, request) }, nonce });
    },
  }),
});

const isPlacement = ({ method, target }: ReceivedRequest): boolean =>
  method === "POST" && target.endsWith("/order");

function typeIn({ body }: ReceivedRequest): unknown {
  try {
    // as: whatever it is, it has this member or none.
    return (JSON.parse(Buffer.from(body).toString("utf8")) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

/** Signatures on some requests are refused although they are right. */
const deaf = (to: (request: ReceivedRequest) => boolean): Decorators => ({
  authenticator: onlyAccepting(
    (screened, request) =>
      !to(request) &&
      rightlySigned(screened, request).sent.signature === screened.sent.signature.toLowerCase(),
  ),
});

/** Every pair of the product list, changed; with its group, to move it. */
const changedPairs = (change: (pair: Fields) => Fields): Decorators => ({
  answer: (answer, { route }) => {
    if (answer.status !== 200 || (route !== "GET /product" && route !== "GET /product/pairs")) return answer;
    return {
      ...answer,
      body: mapBody(answer.body, (value) => ("apiEnabled" in value ? change(value) : value)),
    };
  },
});

/** A connection pool that has gone cold while nobody asked. */
function coldPool({ app }: Listener, { now, prefix }: SeamParts): void {
  let last = now();
  app.addHook("onRequest", (request, _reply, next) => {
    const idle = now() - last;
    last = now();
    if (idle > COLD_MS && request.url.startsWith(prefix)) request.raw.socket.destroy();
    else next();
  });
}
const COLD_MS = 2_000;

function misplaced({ app, refuse }: Listener, { prefix }: SeamParts): void {
  app.addHook("onRequest", (request, reply, next) => {
    if (!request.url.startsWith(prefix)) return next();
    refuse(request, reply, { code: "ROUTE_NOT_FOUND", message: "There is no such route." });
  });
}

function wantsBody({ app, refuse }: Listener): void {
  app.addHook("onRequest", (request, reply, next) => {
    const { headers } = request;
    const empty = (headers["content-length"] ?? "0") === "0" && headers["transfer-encoding"] === undefined;
    const typed = request.receivedHeaders?.contentType?.startsWith("application/json") === true;
    if (request.method !== "GET" || !typed || !empty) return next();
    refuse(request, reply, { code: "MALFORMED_JSON", message: "Unexpected end of JSON input" });
  });
}

/** Answers that are cut short while others are being made. */
function truncated(): Decorators {
  let busy = 0;
  return {
    listener: ({ app }) => {
      app.addHook("onRequest", (_request, _reply, next) => {
        busy += 1;
        next();
      });
      app.addHook("onResponse", (_request, _reply, next) => {
        busy -= 1;
        next();
      });
    },
    answer: (answer) => (busy > 1 ? { ...answer, body: answer.body.slice(0, -20) } : answer),
  };
}

export const ACCESS_DEFECTS: readonly Defect[] = [
  defect("M-127", () => changedPairs((pair) => ({ ...pair, base: pair["quote"], quote: pair["base"] }))),
  defect("M-128", () => changedPairs((pair) => ({ ...pair, id: String(pair["id"]).replace("-", "/") }))),
  defect("M-129", () =>
    changedPairs((pair) => ({ ...pair, apiEnabled: pair["apiEnabled"] === true ? 1 : 0 })),
  ),
  defect("M-130", () => changedPairs(({ minOrderSize: _dropped, ...pair }) => pair)),
  defect("M-131", () =>
    claiming(({ claims }, request) => (isPlacement(request) ? [...claims, "write:orders"] : claims)),
  ),
  defect("M-132", ({ venue }) => ({
    ...claiming(({ claims }, request) => (isPlacement(request) ? [...claims, "write:orders"] : claims)),
    answer: (answer, { route, header }) => {
      const key = venue.world.keys.find(({ keyId }) => keyId === header("x-api-key"));
      const lacks = key !== undefined && !key.claims.includes("write:orders");
      if (route !== "POST /order" || !lacks) return answer;
      return { ...withStatus(answer, 403), body: '{"statusCode":403,"success":false,"message":"Forbidden"}' };
    },
  })),
  defect("M-133", () =>
    claiming(({ claims }, { target }) =>
      /\/product(?:\?|$)/.test(target) && claims.length === CLAIMS.length
        ? claims.filter((claim) => claim !== "read:market-data")
        : claims,
    ),
  ),
  defect("M-139", (parts) => ({ listener: (listener) => misplaced(listener, parts) })),
  defect("M-140", (parts) => ({ listener: (listener) => coldPool(listener, parts) })),
  defect("M-141", truncated),
  defect("M-150", () =>
    claiming(({ claims }, { target }) =>
      /\/order\/open(?:\?|$)/.test(target) ? [...claims, "read:orders"] : claims,
    ),
  ),
  defect("M-160", () => ({ listener: wantsBody })),
  defect("M-161", () => deaf(({ method }) => method === "POST")),
  defect("M-162", () => deaf(({ method }) => method === "GET")),
  defect("M-188", () =>
    claiming(({ claims }, { method }) => (method === "DELETE" ? [...claims, "write:orders"] : claims)),
  ),
  defect("M-189", () =>
    claiming(({ claims }, request) =>
      isPlacement(request) && typeIn(request) === "MARKET" ? [...claims, "write:orders"] : claims,
    ),
  ),
];
