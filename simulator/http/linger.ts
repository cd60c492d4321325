/**
 * Closing a connection whose request still has a body on the way. Closing at once makes the kernel reset the
 * connection because of the unread bytes, and the reset can overtake the answer: the client then sees a
 * broken connection where it should read why it was refused. Reading the rest instead could take
 * for ever. So we say that we are done (FIN), read nothing more, and close a moment later.
 */
import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";

const lingerMs = 500;

/**
 * Call it before the answer is sent. It does nothing when the body turns out to have arrived with the
 * headers.
 */
export function lingerAfterUnreadBody(request: IncomingMessage): void {
  const { socket } = request;
  // A request that Fastify injects has no real socket.
  if (request.complete || !(socket instanceof Socket)) return;
  // A listener that never reads stops the flow after one buffer; without one, Node would read and
  // discard it all.
  request.pause();
  request.once("readable", () => {});
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (request.complete) return destroySoon();
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}
