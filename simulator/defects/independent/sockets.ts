/** Tells which connection credentials came over. The authenticator sees headers only; some bugs need to know more. */
import type { Socket } from "node:net";
import type { SentCredentials } from "../../auth/authenticate.ts";
import type { Listener } from "../../http/listener.ts";

export class Sockets {
  readonly #sockets = new WeakMap<SentCredentials, Socket>();

  readonly watch = ({ app }: Listener): void => {
    app.addHook("onRequest", (request, _reply, next) => {
      if (request.receivedHeaders !== null)
        this.#sockets.set(request.receivedHeaders.credentials, request.raw.socket);
      next();
    });
  };

  /** The socket of these very credentials, which nothing may have copied on the way. */
  of(sent: SentCredentials): Socket {
    const socket = this.find(sent);
    if (socket === undefined) throw new Error("these credentials came over no connection");
    return socket;
  }

  /** Credentials of a handshake come over no connection that is watched. */
  find(sent: SentCredentials): Socket | undefined {
    return this.#sockets.get(sent);
  }
}
