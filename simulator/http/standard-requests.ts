/** What any client may send to any server, brought to the form that the rest of the listener knows: a whole address, and an offer of another protocol. */
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** RFC 9112 3.2.2: a whole address is as good as its path, and its host counts in place of the header. */
export function takePath(request: IncomingMessage): void {
  const { url = "", rawHeaders } = request;
  if (url.startsWith("/")) return;
  const [, host, path = ""] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (host === undefined) return;
  request.url = path.startsWith("/") ? path : `/${path}`;
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (at !== -1) rawHeaders[at + 1] = host;
  else if (request.httpVersion === "1.0") rawHeaders.push("Host", host);
}

/** RFC 9110 7.8: any other offer is ignored, and every offer in HTTP/1.0. */
export function offersWebSocket({ headers, httpVersion }: IncomingMessage): boolean {
  const offered = headers.upgrade?.toLowerCase().split(",") ?? [];
  return httpVersion !== "1.0" && offered.some((name) => name.trim() === "websocket");
}

/**
 * Node hands over the bare socket of every request that offers a protocol. The request is put back without its offer,
 * with the bytes behind it, and read again.
 */
export function declineOffer(server: Server, request: IncomingMessage, socket: Duplex, behind: Buffer): void {
  const { method = "", url = "", httpVersion, rawHeaders } = request;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== "upgrade") lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), behind]));
  server.emit("connection", socket);
}
