/** Bugs in the memory of nonces and in the clock window. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Authenticator, ReceivedRequest, Screened, SentCredentials } from "../auth/authenticate.ts";
import { pathOf } from "../auth/canonical-request.ts";
import type { SeamParts } from "../seams.ts";
import { bug, type Decorators, type Defect } from "../variations/defect.ts";
import { onlyAccepting, rightlySigned } from "../variations/rightly-signed.ts";
import { Sockets } from "./independent/sockets.ts";

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The same request under a fresh nonce. */
function renewed(screened: Screened, request: ReceivedRequest): Screened {
  const nonce = randomUUID();
  const sent = { ...screened.sent, nonce };
  return rightlySigned({ ...screened, sent, nonce: nonce.replaceAll("-", "") }, request);
}

/** A used nonce counts as fresh if this returns true. `seen` is called for every first use. */
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

/** A signature over the nonce in small letters holds, too, however the nonce was sent. */
const overSmallLetters = (inner: Authenticator): Authenticator => ({
  ...inner,
  verify: (screened, request) => {
    const sent = { ...screened.sent, nonce: screened.sent.nonce.toLowerCase() };
    const verified = inner.verify({ ...screened, sent }, request);
    return verified.ok || verified.error.code === "NONCE_REUSED" ? verified : inner.verify(screened, request);
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

/** Lets timestamps pass that are out of the window, or none at all. The signed values stay those that were sent. */
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

const raceMs = 25;
const second = 1_000;
const keptMs = 5 * second;

export const freshnessDefects: readonly Defect[] = [
  bug("M-029", "A nonce can be used again", ["AUTH-26"], () => ({ authenticator: forgiving(() => true) })),
  bug("M-030", "A used nonce is fresh again with another timestamp", ["AUTH-27", "AUTH-26"], () => ({
    authenticator: storeBy(({ timestamp }) => String(timestamp)),
  })),
  bug("M-174", "Only a UUID of version 4 in lower case is a nonce", { recommended: ["AUTH-29"] }, () => ({
    authenticator: onlyAccepting(({ sent }) => version4.test(sent.nonce)),
  })),
  bug("M-031", "Two requests at once can share a nonce", ["AUTH-28"], (parts) => ({
    authenticator: storeWithin(parts, (age) => age > raceMs),
  })),
  bug("M-032", "Each route remembers its own nonces", ["AUTH-26", "AUTH-27", "LIM-05"], () => ({
    authenticator: storeBy((_screened, { method, target }) => `${method} ${pathOf(target)}`),
  })),
  bug("M-033", "Each of two workers remembers its own nonces", ["AUTH-26"], () => {
    let requests = 0;
    return {
      authenticator: storeBy(() => {
        requests += 1;
        return `worker ${requests % 2}`;
      }),
    };
  }),
  bug("M-034", "A nonce is forgotten after a second", ["AUTH-30"], (parts) => ({
    authenticator: storeWithin(parts, (age) => age < second),
  })),
  bug("M-035", "Any timestamp is accepted", ["AUTH-31"], (parts) => ({
    authenticator: blindTo(parts, ({ timestamp }) => /^\d+$/.test(timestamp)),
  })),
  bug("M-036", "A timestamp in the future is accepted", ["AUTH-31"], (parts) => ({
    authenticator: blindTo(
      parts,
      ({ timestamp }) => /^\d+$/.test(timestamp) && Number(timestamp) > parts.now(),
    ),
  })),
  bug("M-037", "The timestamp is read in seconds", ["AUTH-11"], () => ({
    authenticator: (inner) => ({
      ...inner,
      screen: (sent) => {
        const screened = inner.screen({ ...sent, timestamp: String(Number(sent.timestamp) * second) });
        return screened.ok ? { ...screened, value: { ...screened.value, sent } } : screened;
      },
    }),
  })),
  bug("M-038", "A timestamp that is no number passes", ["AUTH-02", "AUTH-31", "AUTH-11"], (parts) => ({
    authenticator: blindTo(parts, ({ timestamp }) => Number.isNaN(Number(timestamp)) || timestamp === ""),
  })),
  bug("M-180", "A nonce is forgotten five seconds after its timestamp", ["AUTH-45"], ({ now }) => ({
    authenticator: forgiving(({ timestamp }) => now() - timestamp > keptMs),
  })),
  bug("M-181", "A nonce in capitals is another nonce, and the first signature holds", ["AUTH-46"], () => {
    const remembers = storeBy(({ sent }) => sent.nonce);
    return { authenticator: (inner) => remembers(overSmallLetters(inner)) };
  }),
  bug(
    "M-182",
    "A nonce is forgotten when the connection that brought it closes",
    ["AUTH-47", "AUTH-26", "AUTH-27"],
    storePerConnection,
  ),
  bug(
    "M-183",
    "A nonce that came without the claim can be used again",
    ["AUTH-48", "AUTH-27"],
    storeOfTheAllowed,
  ),
];
