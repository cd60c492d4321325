/** Bugs in the memory of nonces. Each makes the memory look for another nonce than was sent. */
import { hash, randomBytes } from "node:crypto";
import type { Authenticator, ReceivedRequest, Screened } from "../../auth/authenticate.ts";
import { bug, type Defect } from "../../variations/defect.ts";
import { Sockets } from "./sockets.ts";

const nonceDigits = 32;
const nonceOf = (...parts: readonly string[]): string =>
  hash("sha256", parts.join("\n"), "hex").slice(0, nonceDigits);
const freshNonce = (): string => randomBytes(nonceDigits / 2).toString("hex");

/** Remembers every nonce under the name that `name` gives it. */
const remembering =
  (name: (screened: Screened, request: ReceivedRequest) => string) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    verify: (screened, request) => inner.verify({ ...screened, nonce: name(screened, request) }, request),
  });

const textOf = ({ sent }: Screened): string => sent.nonce.toLowerCase();

const kept = 8;
const slowStoreMs = 60;

export const nonces: readonly Defect[] = [
  // Each worker process has a memory of its own, and a connection stays with its worker.
  bug("A-14", "Each connection has a memory of nonces of its own", ["AUTH-26", "AUTH-27"], () => {
    const sockets = new Sockets();
    const numbers = new WeakMap<object, number>();
    let last = 0;
    const workerOf = (socket: object): number => {
      const number = numbers.get(socket) ?? ++last;
      numbers.set(socket, number);
      return number;
    };
    return {
      listener: sockets.watch,
      authenticator: remembering((screened) =>
        nonceOf(screened.nonce, String(workerOf(sockets.of(screened.sent)))),
      ),
    };
  }),
  // Nonces are remembered per route.
  bug("A-15", "A nonce that was used on one route can be used on another", ["AUTH-27"], () => ({
    authenticator: remembering(({ nonce }, { method, target }) => nonceOf(nonce, method, target)),
  })),
  // A small cache of nonces that drops the oldest.
  bug("A-16", "Only the latest eight nonces are remembered", ["AUTH-26", "AUTH-27"], () => {
    const cache = new Map<string, string>();
    return {
      authenticator: remembering((screened) => {
        const known = cache.get(textOf(screened));
        if (known !== undefined) return known;
        const [oldest] = cache.keys();
        if (cache.size >= kept && oldest !== undefined) cache.delete(oldest);
        const fresh = freshNonce();
        cache.set(textOf(screened), fresh);
        return fresh;
      }),
    };
  }),
  // The transaction that holds the nonce is rolled back when the request is refused.
  bug(
    "A-17",
    "A nonce whose request was refused after authentication can be used again",
    ["AUTH-27", "AUTH-26"],
    () => {
      const rolledBack = new Set<string>();
      return {
        authenticator: remembering((screened) =>
          rolledBack.delete(textOf(screened)) ? freshNonce() : screened.nonce,
        ),
        answer: (answer, asked) => {
          const refused = answer.status >= 400 && answer.status !== 401;
          if (refused) rolledBack.add(asked.header("x-api-nonce")?.toLowerCase() ?? "");
          return answer;
        },
      };
    },
  ),
  // Check first, remember later, with a slow store between.
  bug("A-18", "Simultaneous requests with one nonce all pass", ["AUTH-28"], () => {
    const onTheirWay = new Set<string>();
    return {
      authenticator: remembering((screened) => {
        if (onTheirWay.has(textOf(screened))) return freshNonce();
        onTheirWay.add(textOf(screened));
        return screened.nonce;
      }),
      answer: async (answer, asked) => {
        const nonce = asked.header("x-api-nonce")?.toLowerCase() ?? "";
        if (!onTheirWay.has(nonce)) return answer;
        await new Promise((resolve) => setTimeout(resolve, slowStoreMs));
        onTheirWay.delete(nonce);
        return answer;
      },
    };
  }),
];
