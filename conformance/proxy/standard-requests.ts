/** What any client may send to any server, brought to the form that the proxies know: a whole address, and an offer of another protocol. */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 9112 3.2.2: a whole address is as good as its path, and its host counts in place of the header. */
export function takePath(request: IncomingMessage): void {
  const { url = "", rawHeaders } = request;
  const [, host, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (host === undefined) return;
  request.url = path.startsWith("/") ? path : `/${path}`;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at !== -1) rawHeaders[at + 1] = host;
  request.headers.host = host;
}

/**
 * Calls `open` for each handshake of a WebSocket. RFC 9110 7.8: any other offer is ignored. To a server without a
 * listener for offers, Node gives the request and loses the bytes behind it. To one that has a listener it hands over
 * the bare socket: the request is put back without its offer, with the bytes behind it, and read again once the answers
 * before it have left.
 */
export function onHandshake(
  server: Server,
  open?: (request: IncomingMessage, socket: Duplex, behind: Buffer) => void,
): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on("request", (request, response) => answers.set(request.socket, response));
  server.on("upgrade", (request, socket, behind) => {
    const broken = (): void => void socket.destroy();
    socket.on("error", broken);
    const proceed = (): void => {
      if (socket.destroyed) return;
      takePath(request);
      if (open !== undefined && offersWebSocket(request)) return open(request, socket, behind);
      socket.off("error", broken);
      const { method = "", url = "", httpVersion, rawHeaders } = request;
      const lines = [`${method} ${url} HTTP/${httpVersion}`];
      for (let at = 0; at < rawHeaders.length; at += 2)
        if (rawHeaders[at]?.toLowerCase() !== "upgrade")
          lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
      socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), behind]));
      server.emit("connection", socket);
    };
    const last = answers.get(socket);
    if (last === undefined || last.closed) proceed();
    else last.once("close", proceed);
  });
}

function offersWebSocket({ headers, httpVersion }: IncomingMessage): boolean {
  const offered = headers.upgrade?.toLowerCase().split(",") ?? [];
  return httpVersion !== "1.0" && offered.some((name) => name.trim() === "websocket");
}
