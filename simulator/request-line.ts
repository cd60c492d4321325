/** One request in the log of a process. In a file of its own: it is one of the types of the package. */

/** Without anything secret: of the query, whose values are a client's own, only the path is told. */
export interface RequestLine {
  /** The `x-request-id` of the answer, which `gatewright why` takes. */
  readonly id: string;
  /** Of the answer, as ISO 8601 in UTC. */
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** 0: the connection was closed in place of an answer. */
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | null;
  readonly ms: number;
  /** Name of the world that took it, and of the key; null without a known key. */
  readonly world: string;
  readonly key: string | null;
}
