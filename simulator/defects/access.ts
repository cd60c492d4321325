/** Bugs in claims, routes and connections, and in the product list. */
import type { Authenticator, ReceivedRequest } from "../auth/authenticate.ts";
import type { Caller } from "../auth/keyring.ts";
import { allClaims, type Claim } from "../domain/account.ts";
import { ok } from "../domain/result.ts";
import type { Listener } from "../http/listener.ts";
import type { SeamParts } from "../seams.ts";
import { withStatus } from "../variations/answers.ts";
import { bug, type Decorators, type Defect } from "../variations/defect.ts";
import { type Fields, mapBody } from "../variations/json.ts";
import { onlyAccepting, rightlySigned } from "../variations/rightly-signed.ts";

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
    // as: any value either has this member or has none.
    return (JSON.parse(Buffer.from(body).toString("utf8")) as { type?: unknown } | null)?.type;
  } catch {
    return undefined;
  }
}

/** Signatures on some requests are refused although they are right. */
const refusingRight = (to: (request: ReceivedRequest) => boolean): Decorators => ({
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

/** A connection pool that has gone cold during a pause. */
function coldPool({ app }: Listener, { now, prefix }: SeamParts): void {
  let last = now();
  app.addHook("onRequest", (request, _reply, next) => {
    const idle = now() - last;
    last = now();
    if (idle > coldMs && request.url.startsWith(prefix)) request.raw.socket.destroy();
    else next();
  });
}
const coldMs = 2_000;

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

/** Answers that are cut short while others are being made, or were made within 50 ms: a trial must not depend on chance. */
function truncated(): Decorators {
  let busy = 0;
  return {
    listener: ({ app }) => {
      app.addHook("onRequest", (_request, _reply, next) => {
        busy += 1;
        next();
      });
      app.addHook("onResponse", (_request, _reply, next) => {
        setTimeout(() => (busy -= 1), 50).unref();
        next();
      });
    },
    answer: (answer) => (busy > 1 ? { ...answer, body: answer.body.slice(0, -20) } : answer),
  };
}

export const accessDefects: readonly Defect[] = [
  bug("M-127", "Base and quote of a pair are exchanged", ["PRD-16", "PRD-04"], () =>
    changedPairs((pair) => ({ ...pair, base: pair["quote"], quote: pair["base"] })),
  ),
  bug("M-128", "Pair ids are written with a slash", ["PRD-04"], () =>
    changedPairs((pair) => ({ ...pair, id: String(pair["id"]).replace("-", "/") })),
  ),
  bug("M-129", "apiEnabled is 0 or 1", ["PRD-05"], () =>
    changedPairs((pair) => ({ ...pair, apiEnabled: pair["apiEnabled"] === true ? 1 : 0 })),
  ),
  bug("M-130", "A pair has no minOrderSize", ["PRD-14"], () =>
    changedPairs(({ minOrderSize: _dropped, ...pair }) => pair),
  ),
  bug("M-131", "Placing asks for no claim", ["CLM-01"], () =>
    claiming(({ claims }, request) => (isPlacement(request) ? [...claims, "write:orders"] : claims)),
  ),
  bug("M-132", "The claim is checked after the order was placed", ["CLM-01", "PLC-34"], ({ venue }) => ({
    ...claiming(({ claims }, request) => (isPlacement(request) ? [...claims, "write:orders"] : claims)),
    answer: (answer, { route, header }) => {
      const key = venue.world.keys.find(({ keyId }) => keyId === header("x-api-key"));
      const lacks = key !== undefined && !key.claims.includes("write:orders");
      if (route !== "POST /order" || !lacks) return answer;
      return { ...withStatus(answer, 403), body: '{"statusCode":403,"success":false,"message":"Forbidden"}' };
    },
  })),
  bug("M-133", "A key with all claims may not read the products", ["CLM-03"], () =>
    claiming(({ claims }, { target }) =>
      /\/product(?:\?|$)/.test(target) && claims.length === allClaims.length
        ? claims.filter((claim) => claim !== "read:market-data")
        : claims,
    ),
  ),
  bug("M-139", "The trading routes are not below the documented path", ["GEN-10"], (parts) => ({
    listener: (listener) => misplaced(listener, parts),
  })),
  bug("M-140", "The first request after a pause fails", [], (parts) => ({
    listener: (listener) => coldPool(listener, parts),
  })),
  bug("M-141", "Answers are cut short when several are made at once", ["GEN-13"], truncated),
  bug("M-150", "Open orders asks for no claim", ["CLM-05"], () =>
    claiming(({ claims }, { target }) =>
      /\/order\/open(?:\?|$)/.test(target) ? [...claims, "read:orders"] : claims,
    ),
  ),
  bug("M-160", "A GET that declares JSON and has no body is refused", ["AUTH-42", "EPT-02"], () => ({
    listener: wantsBody,
  })),
  bug("M-161", "A right signature on a POST is refused", ["AUTH-08"], () =>
    refusingRight(({ method }) => method === "POST"),
  ),
  bug("M-162", "A right signature on a GET is refused", ["AUTH-07", "GEN-01"], () =>
    refusingRight(({ method }) => method === "GET"),
  ),
  bug("M-188", "A cancel asks for no claim", ["CLM-03"], () =>
    claiming(({ claims }, { method }) => (method === "DELETE" ? [...claims, "write:orders"] : claims)),
  ),
  bug("M-189", "A MARKET order asks for no claim", ["CLM-01"], () =>
    claiming(({ claims }, request) =>
      isPlacement(request) && typeIn(request) === "MARKET" ? [...claims, "write:orders"] : claims,
    ),
  ),
];
