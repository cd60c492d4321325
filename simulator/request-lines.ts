/** Makes a line of each request that is answered, for the log of a process. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RawRefusal } from "./http/connections.ts";
import { statusOf } from "./http/errors.ts";
import type { ExchangeObserver } from "./http/observers.ts";
import { printable } from "./http/printable.ts";
import type { RequestLine } from "./request-line.ts";

type Owner = Pick<RequestLine, "world" | "key">;

const mostPath = 200;

export class RequestLines implements ExchangeObserver {
  readonly #tell: (line: RequestLine) => void;
  readonly #ownerOf: (keyId: string) => Owner;

  constructor(tell: (line: RequestLine) => void, ownerOf: (keyId: string) => Owner) {
    this.#tell = tell;
    this.#ownerOf = ownerOf;
  }

  answered(request: FastifyRequest, { statusCode }: FastifyReply): void {
    this.#told(request, statusCode);
  }

  dropped(request: FastifyRequest): void {
    this.#told(request, 0);
  }

  refusedOnSocket({ request, id, target, refusal }: RawRefusal): void {
    const { code } = refusal;
    const line = { id, method: request?.method ?? "", target, status: statusOf(refusal), code, ms: 0 };
    this.#say(line, "");
  }

  #told({ id, method, raw, refusedAs, arrivedAt, receivedHeaders }: FastifyRequest, status: number): void {
    // A request that Fastify itself refuses has not been through the gate.
    const ms = arrivedAt > 0 ? Math.round((performance.now() - arrivedAt) * 10) / 10 : 0;
    const line = { id, method, target: raw.url ?? "", status, code: refusedAs, ms };
    this.#say(line, receivedHeaders?.credentials.keyId ?? "");
  }

  #say(
    { target, ...line }: Omit<RequestLine, "time" | "path" | keyof Owner> & { target: string },
    keyId: string,
  ) {
    const [path = ""] = target.split("?", 1);
    const { world, key } = this.#ownerOf(keyId);
    const time = new Date().toISOString();
    this.#tell({ ...line, time, path: printable(path, mostPath), world, key });
  }
}
