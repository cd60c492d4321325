/** Bugs in the memory of nonces and in the clock window: M-029 to M-038, M-174, M-180 to M-183. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Authenticator, ReceivedRequest, Screened, SentCredentials } from "../auth/authenticate.ts";
import { pathOf } from "../auth/canonical-request.ts";
import type { SeamParts } from "../seams.ts";
import { type Decorators, type Defect, defect } from "./defect.ts";
import { Sockets } from "./independent/sockets.ts";
import { onlyAccepting, rightlySigned } from "./rightly-signed.ts";

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The same request under a nonce that nobody has used. */
function renewed(screened: Screened, request: ReceivedRequest): Screened {
  const nonce = randomUUID();
  const sent = { ...screened.sent, nonce };
  return rightlySigned({ ...screened, sent, nonce: nonce.replaceAll("-", "") }, request);
}

/** A nonce that was used before counts as fresh where this says so. `seen` hears of every first use. */
export const forgiving =
  (fresh: (screened: Screened, request: ReceivedRequest) => boolean) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    verify: (screened, request) => {
      const verified = inner.verify(screened, request);
      const asNew = fresh(screened, request);
      const reused = !verified.ok && verified.error.code === "NONCE_REUSED";
      return reused && asNew ? inner.verify(renewed(screened, request), request) : verified;
    },
  });

/** A store of nonces that looks at more than key and nonce: the same nonce elsewhere is another one. */
function storeBy(keyOf: (screened: Screened, request: ReceivedRequest) => string) {
  const known = new Set<string>();
  return forgiving((screened, request) => {
    const key = `${screened.key.caller.keyId} ${screened.nonce} ${keyOf(screened, request)}`;
    const fresh = !known.has(key);
    known.add(key);
    return fresh;
  });
}

/** A store that forgets, or that knows of a nonce only some time after its use. */
function storeWithin({ now }: SeamParts, counts: (ageMs: number) => boolean) {
  const firstUse = new Map<string, number>();
  return forgiving((screened) => {
    const used = firstUse.get(screened.nonce);
    if (used === undefined) firstUse.set(screened.nonce, now());
    return used !== undefined && !counts(now() - used);
  });
}

/** Lets timestamps pass that are out of the window, or none at all. What was signed stays what was sent. */
export const blindTo =
  ({ now }: SeamParts, ignored: (sent: SentCredentials) => boolean) =>
  (inner: Authenticator): Authenticator => ({
    ...inner,
    screen: (sent) => {
      const screened = inner.screen(sent);
      if (screened.ok || !ignored(sent)) return screened;
      const present = inner.screen({ ...sent, timestamp: String(now()) });
      return present.ok ? { ...present, value: { ...present.value, sent } } : present;
    },
  });

/** A memory in the process that serves a connection, and that ends with it. */
function storePerConnection(): Decorators {
  const sockets = new Sockets();
  const broughtBy = new Map<string, Socket>();
  return {
    listener: sockets.watch,
    authenticator: forgiving(({ nonce, sent }) => {
      const first = broughtBy.get(nonce);
      const socket = sockets.find(sent);
      if (first === undefined && socket !== undefined) broughtBy.set(nonce, socket);
      return first?.destroyed === true;
    }),
  };
}

/** The nonce is stored together with what the request does; one that may do nothing stores none. */
function storeOfTheAllowed(): Decorators {
  const forbidden = new Set<string>();
  const nameOf = (nonce: string): string => nonce.toLowerCase();
  return {
    authenticator: forgiving(({ sent }) => forbidden.delete(nameOf(sent.nonce))),
    answer: (answer, { header }) => {
      if (answer.status === 403) forbidden.add(nameOf(header("x-api-nonce") ?? ""));
      return answer;
    },
  };
}

const RACE_MS = 25;
const SECOND = 1_000;
const KEPT_MS = 5 * SECOND;

export const FRESHNESS_DEFECTS: readonly Defect[] = [
  defect("M-029", () => ({ authenticator: forgiving(() => true) })),
  defect("M-030", () => ({ authenticator: storeBy(({ timestamp }) => String(timestamp)) })),
  defect("M-174", () => ({ authenticator: onlyAccepting(({ sent }) => VERSION_4.test(sent.nonce)) })),
  defect("M-031", (parts) => ({ authenticator: storeWithin(parts, (age) => age > RACE_MS) })),
  defect("M-032", () => ({
    authenticator: storeBy((_screened, { method, target }) => `${method} ${pathOf(target)}`),
  })),
  defect("M-033", () => {
    let requests = 0;
    return {
      authenticator: storeBy(() => {
        requests += 1;
        return `worker ${requests % 2}`;
      }),
    };
  }),
  defect("M-034", (parts) => ({ authenticator: storeWithin(parts, (age) => age < SECOND) })),
  defect("M-035", (parts) => ({
    authenticator: blindTo(parts, ({ timestamp }) => /^\d+$/.test(timestamp)),
  })),
  defect("M-036", (parts) => ({
    authenticator: blindTo(
      parts,
      ({ timestamp }) => /^\d+$/.test(timestamp) && Number(timestamp) > parts.now(),
    ),
  })),
  defect("M-037", () => ({
    authenticator: (inner) => ({
      ...inner,
      screen: (sent) => {
        const screened = inner.screen({ ...sent, timestamp: String(Number(sent.timestamp) * SECOND) });
        return screened.ok ? { ...screened, value: { ...screened.value, sent } } : screened;
      },
    }),
  })),
  defect("M-038", (parts) => ({
    authenticator: blindTo(parts, ({ timestamp }) => Number.isNaN(Number(timestamp)) || timestamp === ""),
  })),
  defect("M-180", ({ now }) => ({
    authenticator: forgiving(({ timestamp }) => now() - timestamp > KEPT_MS),
  })),
  defect("M-181", () => ({ authenticator: storeBy(({ sent }) => sent.nonce) })),
  defect("M-182", storePerConnection),
  defect("M-183", storeOfTheAllowed),
];
