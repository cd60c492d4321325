/** Puts named defects behind the seams of a venue, and lists them in every health answer. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Listener } from "../http/listener.ts";
import type { SeamParts, Seams } from "../seams.ts";
import { lost } from "../stream/frame.ts";
import type { StreamSeams } from "../stream/hub.ts";
import { askedBy } from "../variations/asked.ts";
import type { Answer, Decorators, Defect } from "../variations/defect.ts";
import { type Fields, parseObject } from "../variations/json.ts";
import { serveDecorated } from "../variations/serve-decorated.ts";
import { defects } from "./catalogue.ts";
import { fieldMutant } from "./field-mutants.ts";

export class UnknownDefect extends Error {
  override readonly name = "UnknownDefect";
}

/** @throws UnknownDefect with a sentence for the user. */
export function seamsOf(names: readonly string[]): Seams {
  const chosen = names.map(find);
  let decorators: readonly Decorators[] | null = null;
  // All seams of a venue share what a defect remembers.
  const of = (parts: SeamParts): readonly Decorators[] => {
    decorators ??= chosen.map((one) => one.decorate(parts));
    return decorators;
  };
  return {
    authenticator: (inner, parts) =>
      of(parts).reduceRight((made, { authenticator }) => authenticator?.(made) ?? made, inner),
    serve: (inner, parts) => serveDecorated(inner, parts, of(parts)),
    handshake: (inner, parts) => {
      const authenticator = of(parts).reduceRight((made, { handshake }) => handshake?.(made) ?? made, inner);
      const refuse = of(parts).find(({ refuseHandshake }) => refuseHandshake !== undefined)?.refuseHandshake;
      return refuse === undefined ? { authenticator } : { authenticator, refuse };
    },
    stream: (parts) => streamSeams(of(parts)),
    listener: (listener, parts) => {
      announce(listener, names);
      for (const one of of(parts)) one.listener?.(listener);
      const changing = of(parts)
        .flatMap(({ answer }) => answer ?? [])
        .reverse();
      if (changing.length > 0) rewriteAnswers(listener, parts.prefix, changing);
    },
  };
}

function find(name: string): Defect {
  const found = defects.find(({ id }) => id === name) ?? fieldMutant(name);
  if (found !== undefined) return found;
  const alike = defects.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  const advice =
    alike !== undefined ? `Did you mean ${alike.id}?` : "`gatewright mutants --list` prints all of them.";
  throw new UnknownDefect(`There is no defect or variation ${name}. ${advice}`);
}

function streamSeams(decorators: readonly Decorators[]): StreamSeams {
  const changes = decorators.flatMap(({ message }) => message ?? []);
  return {
    grant: (inner) => decorators.reduceRight((made, { grant }) => grant?.(made) ?? made, inner),
    outgoing: (text) => {
      if (changes.length === 0) return [text];
      const messages = changes.reduceRight<readonly (Fields | typeof lost)[]>(
        (made, change) => made.flatMap((one) => (one === lost ? [one] : change(one))),
        [parseObject(`{${text.slice(1)}`)],
      );
      return messages.map((one) => (one === lost ? lost : `,${JSON.stringify(one).slice(1)}`));
    },
  };
}

type Change = NonNullable<Decorators["answer"]>;

function rewriteAnswers({ app }: Listener, prefix: string, changes: readonly Change[]): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || !request.url.startsWith(prefix) || isHealth(request)) return payload;
    const asked = askedBy(request, prefix);
    let answer: Answer = { status: reply.statusCode, headers: {}, body: payload };
    for (const change of changes) answer = await change(answer, asked);
    return send(reply, answer);
  });
}

function send(reply: FastifyReply, { status, headers, body }: Answer): string {
  reply.code(status).headers(headers);
  reply.header("content-length", Buffer.byteLength(body));
  return body;
}

const isHealth = ({ url }: FastifyRequest): boolean => /\/health(?:$|[/?])/.test(url);

/** The health of this venue must show that it has defects. */
function announce({ app }: Listener, names: readonly string[]): void {
  app.addHook("onSend", async (request, reply, payload) => {
    if (typeof payload !== "string" || !isHealth(request)) return payload;
    // as: a health answer of this venue is an object with an object in `data`.
    const health = JSON.parse(payload) as { data?: object };
    if (typeof health.data !== "object") return payload;
    const text = JSON.stringify({ ...health, data: { ...health.data, defects: names } });
    reply.header("content-length", Buffer.byteLength(text));
    return text;
  });
}
