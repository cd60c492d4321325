import { shorten } from "../check/describe.ts";
import { type Exchange, textOf } from "../model/exchange.ts";
import { type Json, JsonObject } from "../model/json.ts";
import type { Session } from "../runner/session.ts";
import { plainPlan } from "../signing/tamper.ts";

/** A place to try, spelled as in a profile: below the base address; `../` leaves it. */
export interface Question {
  readonly method?: "GET" | "DELETE" | "POST";
  readonly path: string;
  readonly role?: string;
  readonly signed?: boolean;
  readonly body?: string;
  /** The signed path, if it differs from the path of the request. */
  readonly signedPath?: string;
}

/** Sends one question, without a permit for orders: no request of the probe can become one. */
export function ask(session: Session, question: Question): Promise<Exchange> {
  const { method = "GET", path, role = "trader", signed = true, body = "" } = question;
  const { basePath } = session.parts.target;
  const target = path.startsWith("../") ? new URL(path, `http://host${basePath}/`).pathname : basePath + path;
  return session.ask(() =>
    session.prepare({
      method,
      target,
      headers: [],
      body: Buffer.from(body, "utf8"),
      role: signed ? role : "anonymous",
      ...(signed ? { credential: session.credential(role) } : {}),
      sign:
        question.signedPath === undefined
          ? plainPlan
          : { ...plainPlan, override: { path: basePath + question.signedPath } },
      mutation: {},
      clockOffsetMs: 0,
    }),
  );
}

/** `404 "no such order"`: the answer, short enough for a comment. */
export function answerOf(exchange: Exchange): string {
  if (exchange.reply === undefined) return exchange.transport;
  const { status, body } = exchange.reply;
  const message = exchange.json instanceof JsonObject ? exchange.json.get("message") : undefined;
  const said = typeof message === "string" ? message : shorten(textOf(body), 60);
  return said === "" ? String(status) : `${status} "${shorten(said, 80)}"`;
}

/** The answer without the paths and ids of the request, so that two refusals of the same kind are equal. */
export function kindOfAnswer(exchange: Exchange): string {
  const message = exchange.json instanceof JsonObject ? exchange.json.get("message") : undefined;
  const said = typeof message === "string" ? message : "";
  const masked = said.replace(/\/[^\s"',]*/g, "*").replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, "*");
  return `${statusOf(exchange)} ${masked}`;
}

export function statusOf(exchange: Exchange): number {
  return exchange.reply?.status ?? 0;
}

/** Arrays and objects at most `depth` below the root, nearest first, with their pointers. */
export function* partsOf(
  json: Json | undefined,
  depth = 4,
): Generator<{ readonly pointer: string; readonly value: Json }> {
  let level: { pointer: string; value: Json }[] = json === undefined ? [] : [{ pointer: "#", value: json }];
  for (let left = depth; left > 0 && level.length > 0; left -= 1) {
    yield* level;
    level = level.flatMap(({ pointer, value }) =>
      value instanceof JsonObject
        ? [...value.entries].map(([key, item]) => ({ pointer: `${pointer}/${key}`, value: item }))
        : [],
    );
  }
}
