/** Logging: off unless asked for, and without anything that could be used to sign or to get in. */
import type { FastifyBaseLogger, FastifyServerOptions } from "fastify";
import { printable } from "./printable.ts";

export interface LogTarget {
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal";
  readonly stream: { write(line: string): void };
}

/** Members of a logged object, on its first or second level. */
const secrets = ["secret", "signature", "authorization", "controlToken", '["x-api-signature"]'];
export const redactedPaths: readonly string[] = secrets.flatMap((name) => {
  const step = name.startsWith("[") ? name : `.${name}`;
  return [name, `*${step}`, `*.headers${step}`];
});

export function loggerOptions(
  log: LogTarget | FastifyBaseLogger | undefined,
): Pick<FastifyServerOptions, "logger" | "loggerInstance"> {
  if (log === undefined) return { logger: false };
  if (!("stream" in log)) return { loggerInstance: log };
  return {
    logger: {
      level: log.level,
      stream: log.stream,
      redact: [...redactedPaths],
      serializers: { req: describeRequest },
    },
  };
}

/** Without the query, which may hold anything, and without headers. */
function describeRequest(request: { readonly method: string; readonly url: string }): Record<string, string> {
  return { method: request.method, path: printable(request.url.split("?", 1)[0] ?? "") };
}
