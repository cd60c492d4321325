/** Bugs in the permission to call, and in the answers to refused callers. */
import { ok } from "../domain/result.ts";
import type { Listener } from "../http/listener.ts";
import { statusFor } from "../variations/answers.ts";
import { bug, type Defect } from "../variations/defect.ts";
import { lettingIn } from "../variations/letting-in.ts";
import { screening } from "../variations/rightly-signed.ts";

const names = ["x-api-key", "x-api-timestamp", "x-api-nonce", "x-api-signature"] as const;

/** Takes credentials out of the query where the headers have none. They are then no parameters of the route. */
function readQuery({ app }: Listener): void {
  app.addHook("onRequest", (request, _reply, next) => {
    const headers = request.receivedHeaders;
    const [path = "", search = ""] = (request.raw.url ?? "").split("?");
    const query = new URLSearchParams(search);
    if (headers !== null && headers.credentials.keyId === "") {
      const byName = new Map([...query].map(([name, value]) => [name.toLowerCase(), value]));
      const [keyId = "", timestamp = "", nonce = "", signature = ""] = names.map((name) => byName.get(name));
      request.receivedHeaders = {
        ...headers,
        credentials: { keyId, timestamp, nonce, signature, repeated: null },
      };
      request.raw.url = path;
    }
    next();
  });
}

export const credentialDefects: readonly Defect[] = [
  bug("M-022", "A key id matches in any letter case and with blanks around it", ["AUTH-05"], ({ venue }) => {
    const known = venue.world.keys.map(({ keyId }) => keyId);
    const folded = (keyId: string): string => keyId.trim().toLowerCase();
    return {
      authenticator: screening((sent) => ({
        ...sent,
        keyId: known.find((keyId) => folded(keyId) === folded(sent.keyId)) ?? sent.keyId,
      })),
    };
  }),
  bug("M-023", "An unknown key is answered with 404", ["AUTH-05", "AUTH-34"], () =>
    statusFor(["INVALID_API_KEY"], 404),
  ),
  bug(
    "M-024",
    "Missing credentials are answered with 400",
    ["AUTH-34", "AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04"],
    () => statusFor(["MISSING_CREDENTIALS"], 400),
  ),
  bug("M-025", "A disabled key is accepted", ["AUTH-34"], () => ({
    authenticator: (inner) => ({
      ...inner,
      verify: (screened, request) => {
        const verified = inner.verify(screened, request);
        const { key, timestamp, nonce } = screened;
        if (verified.ok || !verified.error.message.includes("disabled")) return verified;
        const receivedAt = timestamp;
        return ok({ caller: key.caller, nonce: { key: key.caller.key, nonce, timestamp, receivedAt } });
      },
    }),
  })),
  bug("M-026", "Without a key id a request counts as public", ["AUTH-01", "GEN-01", "GEN-03"], (parts) => ({
    authenticator: lettingIn(parts, ({ keyId }) => keyId === ""),
  })),
  bug(
    "M-027",
    "Credentials are asked for on POST only",
    ["GEN-01", "GEN-03", "AUTH-01", "AUTH-04"],
    (parts) => ({
      authenticator: lettingIn(
        parts,
        ({ keyId, signature }) => keyId === "" || signature === "",
        ({ method }) => method === "GET",
      ),
    }),
  ),
  bug("M-028", "An order without credentials is refused, and placed", ["AUTH-39", "PLC-34"], (parts) => ({
    authenticator: lettingIn(
      parts,
      ({ keyId }) => keyId === "",
      ({ method }) => method === "POST",
    ),
    // The order was placed; the caller is told that it may not.
    answer: (answer, { method, header }) =>
      method === "POST" && header("x-api-key") === undefined
        ? { ...answer, status: 401, body: '{"statusCode":401,"success":false,"message":"Unauthorized"}' }
        : answer,
  })),
  bug("M-039", "Credentials in the query count, too", ["AUTH-36"], () => ({ listener: readQuery })),
  bug("M-040", "A refusal shows the secret in a header", ["AUTH-35"], ({ venue }) => ({
    answer: (answer, { header }) => {
      const key = venue.world.keys.find(({ keyId }) => keyId === header("x-api-key"));
      if (answer.status !== 401 || key === undefined) return answer;
      return { ...answer, headers: { ...answer.headers, "x-debug": `verified with ${key.secret}` } };
    },
  })),
];
