/** Bugs in the identification of the caller: keys, headers, claims, and the answers to refused callers. */
import type { IncomingMessage } from "node:http";
import type { SentCredentials } from "../../auth/authenticate.ts";
import type { Claim } from "../../domain/account.ts";
import { ok } from "../../domain/result.ts";
import type { Listener } from "../../http/listener.ts";
import { refuse } from "../../http/route.ts";
import { placing, textOf } from "../../variations/changed-call.ts";
import { bug, type Defect } from "../../variations/defect.ts";
import { parseObject } from "../../variations/json.ts";

/** Replaces the credentials of a request before anything looks at them. */
const receiving =
  (change: (sent: SentCredentials, names: readonly string[], message: IncomingMessage) => SentCredentials) =>
  ({ app }: Listener): void => {
    app.addHook("onRequest", (request, _reply, next) => {
      const { receivedHeaders: headers, raw } = request;
      if (headers !== null)
        request.receivedHeaders = {
          ...headers,
          credentials: change(headers.credentials, raw.rawHeaders, raw),
        };
      next();
    });
  };

const idIn = (body: Uint8Array): unknown => {
  try {
    return parseObject(Buffer.from(body).toString("utf8"))["client_order_id"];
  } catch {
    return undefined;
  }
};

export const callers: readonly Defect[] = [
  // The collation of the key table does not know capitals.
  bug("A-19", "Key ids match in any letter case", ["AUTH-05"], () => ({
    authenticator: (inner) => ({
      ...inner,
      screen: (sent) => inner.screen({ ...sent, keyId: sent.keyId.toLowerCase() }),
    }),
  })),
  // Headers are looked up in the documented and in the lower spelling, and in no other.
  bug(
    "A-20",
    "The header of the key is found in capitals or in lower case, and not as X-Api-Key",
    ["AUTH-37"],
    () => ({
      listener: receiving((sent, names) => {
        const spelled = names.find((name) => name.toLowerCase() === "x-api-key");
        return spelled === "X-API-KEY" || spelled === "x-api-key" ? sent : { ...sent, keyId: "" };
      }),
    }),
  ),
  // Parameters of the query fill in for a missing header of the key.
  bug(
    "A-21",
    "A missing header of the key is made up for by a parameter of the query",
    ["AUTH-36", "AUTH-01"],
    () => ({
      listener: receiving((sent, _names, message) => {
        if (sent.keyId !== "") return sent;
        const [path = "", search = ""] = (message.url ?? "").split("?");
        message.url = path;
        return { ...sent, keyId: new URLSearchParams(search).get("X-API-KEY") ?? "" };
      }),
    }),
  ),
  // A timestamp of letters is taken for a malformed request.
  bug("A-22", "Letters in the timestamp are answered 400", ["AUTH-34", "AUTH-02"], () => ({
    answer: (answer, asked) =>
      answer.status === 401 && /^[a-z]/i.test(asked.header("x-api-timestamp") ?? "")
        ? { ...answer, status: 400, body: answer.body.replace('"statusCode":401', '"statusCode":400') }
        : answer,
  })),
  // An empty nonce, in contrast to a missing one, crashes its parser.
  bug("A-23", "An empty nonce header is answered 500", ["AUTH-03", "ERR-09", "AUTH-34"], () => ({
    answer: (answer, asked) =>
      answer.status === 401 && asked.header("x-api-nonce") === ""
        ? { ...answer, status: 500, body: '{"statusCode":500,"message":"Internal server error"}' }
        : answer,
  })),
  // Any value that the language can convert to a number is a timestamp.
  bug(
    "A-24",
    "A timestamp is any text that converts to a number, also a fraction or an exponent",
    ["AUTH-11"],
    () => ({
      authenticator: (inner) => ({
        ...inner,
        screen: (sent) => {
          const screened = inner.screen({ ...sent, timestamp: String(Math.trunc(Number(sent.timestamp))) });
          return screened.ok ? ok({ ...screened.value, sent }) : screened;
        },
      }),
    }),
  ),
  // Claims are cached by client, and each key of it adds to them.
  bug(
    "A-25",
    "Every key has the claims of all keys of its client that have called before",
    ["CLM-01", "CLM-03"],
    () => {
      const claims = new Map<number | null, readonly Claim[]>();
      return {
        authenticator: (inner) => ({
          ...inner,
          verify: (screened, request) => {
            const verified = inner.verify(screened, request);
            if (!verified.ok) return verified;
            const { caller } = verified.value;
            const held = [...new Set([...(claims.get(caller.client) ?? []), ...caller.claims])];
            claims.set(caller.client, held);
            return ok({ ...verified.value, caller: { ...caller, claims: held } });
          },
        }),
      };
    },
  ),
  // A request without a key is refused by the proxy in front, in its own words.
  bug(
    "A-26",
    "A request without a key is turned away with plain text",
    { recommended: ["ERR-10", "GEN-12"] },
    () => ({
      answer: (answer, asked) =>
        answer.status === 401 && asked.header("x-api-key") === undefined
          ? { ...answer, headers: { ...answer.headers, "content-type": "text/plain" }, body: "Unauthorized" }
          : answer,
    }),
  ),
  // Idempotency comes before authentication: the key of a forged order is taken.
  bug("A-27", "A forged order uses up the client_order_id of the real one", ["AUTH-39"], () => {
    const taken = new Set<unknown>();
    return {
      authenticator: (inner) => ({
        ...inner,
        verify: (screened, request) => {
          const verified = inner.verify(screened, request);
          if (!verified.ok && request.method === "POST") taken.add(idIn(request.body));
          return verified;
        },
      }),
      route: placing(async (_call, body, place) =>
        taken.has(textOf(body, "client_order_id"))
          ? refuse("VALIDATION_FAILED", "client_order_id is in use by a request that failed")
          : place(body),
      ),
    };
  }),
  // A DELETE that is labelled JSON has to have a body.
  bug("A-28", "A DELETE labelled as JSON is refused because it has no body", ["AUTH-42"], () => ({
    listener: ({ app, refuse: turnAway }) => {
      app.addHook("preHandler", (request, reply, next) => {
        const { body, receivedHeaders } = request;
        const empty = !(body instanceof Uint8Array) || body.length === 0;
        if (request.method !== "DELETE" || !empty || receivedHeaders?.contentType === undefined)
          return next();
        turnAway(request, reply, {
          code: "MALFORMED_REQUEST",
          message: "Body cannot be empty when content-type is set to 'application/json'",
        });
      });
    },
  })),
];
