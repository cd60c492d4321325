/**
 * The places where defects are attached to a venue. `live-world.ts` connects the parts of a venue through them. A venue without
 * defects uses `withoutDefects`, and `defects/` is loaded only when defects are named.
 */
import type { Authenticator } from "./auth/authenticate.ts";
import type { Keyring } from "./auth/keyring.ts";
import type { Refusal } from "./http/errors.ts";
import type { Listener } from "./http/listener.ts";
import type { Serve } from "./http/route.ts";
import type { Handshake } from "./http/upgrade.ts";
import type { Venue } from "./sequencer/venue.ts";
import type { StreamSeams } from "./stream/hub.ts";

/** The parts of a venue that a decorator may use. */
export interface SeamParts {
  readonly keyring: Keyring;
  readonly venue: Venue;
  /** Path in front of every trading route. */
  readonly prefix: string;
  /** Clock of authentication, milliseconds since the epoch. */
  readonly now: () => number;
}

/** The authenticator of handshakes, and the answer to a refused one. */
export interface HandshakeSeam {
  readonly authenticator: Authenticator;
  readonly refuse?: (handshake: Handshake, refusal: Refusal) => void;
}

export interface Seams {
  readonly authenticator: (inner: Authenticator, parts: SeamParts) => Authenticator;
  readonly handshake: (inner: Authenticator, parts: SeamParts) => HandshakeSeam;
  readonly stream: (parts: SeamParts) => StreamSeams;
  readonly serve: (inner: Serve, parts: SeamParts) => Serve;
  readonly listener: (listener: Listener, parts: SeamParts) => void;
}

export const soundStream: StreamSeams = { grant: (inner) => inner, outgoing: (text) => [text] };

export const withoutDefects: Seams = {
  authenticator: (inner) => inner,
  handshake: (inner) => ({ authenticator: inner }),
  stream: () => soundStream,
  serve: (inner) => inner,
  listener: () => undefined,
};
