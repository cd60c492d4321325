/** Pages of the simulator for people. Large parts are loaded at the first request, not at start. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ClaimTable } from "../auth/claims.ts";
import type { Guide } from "../guide/guide.ts";
import type { Docs, DocsAnswer } from "../http/docs.ts";
import type { Listener } from "../http/listener.ts";
import type { DocumentedVenue } from "../http/openapi/prose.ts";
import type { RecordIds } from "../http/openapi/record-ids.ts";
import type { Route } from "../http/route.ts";
import { searchOf } from "../http/search.ts";
import { type ConsoleFiles, readConsole } from "./console-page.ts";

export interface GuideOptions {
  readonly prefix: string;
  readonly tradingPrefix: string;
  readonly routes: readonly Route[];
  readonly claims: ClaimTable;
  readonly venue: DocumentedVenue;
  readonly ids: () => RecordIds;
  /** Of the simulator. */
  readonly version: string;
}

interface Asset {
  readonly Params: { readonly asset: string };
}

export function mountGuide(listener: Listener, options: GuideOptions): void {
  const { prefix, tradingPrefix, routes, claims, venue, ids, version } = options;
  const { app, refuse } = listener;
  let docs: Promise<Docs> | null = null;
  const loaded = (): Promise<Docs> => {
    docs ??= import("../http/docs.ts").then(({ createDocs }) =>
      createDocs({ routes, claims, server: tradingPrefix, venue, ids }),
    );
    return docs;
  };
  app.get("/", (_request, reply) => {
    reply.redirect(`${prefix}/console`);
  });
  mountPages(listener, prefix);
  let files: ConsoleFiles | null = null;
  app.get(`${prefix}/console`, (_request, reply) => send(reply, (files ??= readConsole()).page));
  app.get<Asset>(`${prefix}/console/assets/:asset`, (request, reply) => {
    const asset = (files ??= readConsole()).asset(request.params.asset);
    if (asset !== null) return send(reply, asset);
    refuse(request, reply, listener.routes.refusalOf("GET", request.raw.url ?? ""));
    return reply;
  });
  app.get(`${prefix}/openapi.json`, async (request, reply) => {
    const { url = "", headers } = request.raw;
    return send(reply, (await loaded()).document(searchOf(url), headers.host));
  });
  app.get(`${prefix}/openapi.yaml`, async (request, reply) => {
    const { url = "", headers } = request.raw;
    return send(reply, await inYaml((await loaded()).document(searchOf(url), headers.host)));
  });
  app.get(`${prefix}/asyncapi.json`, async (request, reply) => {
    const { asyncApiDocument } = await import("../stream/asyncapi.ts");
    return sendDocument(
      reply,
      asyncApiDocument({ host: hostOf(request), protocol: "ws", prefix: tradingPrefix }),
    );
  });
  app.get(`${prefix}/control.json`, async (request, reply) => {
    const { controlDocument } = await import("./openapi.ts");
    return sendDocument(reply, controlDocument({ version, prefix, host: hostOf(request) }));
  });
  app.get(`${prefix}/docs`, async (_request, reply) => send(reply, (await loaded()).page()));
  app.get<Asset>(`${prefix}/docs/:asset`, async (request, reply) => {
    const asset = (await loaded()).asset(request.params.asset);
    if (asset !== null) return send(reply, asset);
    refuse(request, reply, listener.routes.refusalOf("GET", request.raw.url ?? ""));
    return reply;
  });
}

/** The pages of the package. */
function mountPages({ app, refuse, routes }: Listener, prefix: string): void {
  let pages: Promise<Guide> | null = null;
  const guided = (): Promise<Guide> => {
    pages ??= import("../guide/guide.ts").then(({ createGuide }) => createGuide(prefix));
    return pages;
  };
  app.get(`${prefix}/guide`, (_request, reply) => reply.redirect(`${prefix}/guide/docs/README.md`));
  app.get(`${prefix}/guide/guide.css`, async (_request, reply) => send(reply, (await guided()).style()));
  app.get(`${prefix}/guide/search`, async (request, reply) => {
    const words = new URLSearchParams(searchOf(request.raw.url ?? "")).get("q") ?? "";
    return send(reply, (await guided()).found(words));
  });
  app.get<{ readonly Params: { readonly "*": string } }>(`${prefix}/guide/*`, async (request, reply) => {
    const guide = await guided();
    const name = guide.nameOf(request.params["*"]);
    // Links of a page hold from where its file is.
    if (name !== null && name !== request.params["*"]) return reply.redirect(`${prefix}/guide/${name}`);
    if (name !== null) return send(reply, guide.page(name));
    refuse(request, reply, routes.refusalOf("GET", request.raw.url ?? ""));
    return reply;
  });
}

async function inYaml({ status, headers, body }: DocsAnswer): Promise<DocsAnswer> {
  const { stringify } = await import("yaml");
  const text = stringify(JSON.parse(String(body)), { aliasDuplicateObjects: false });
  return { status, headers: { ...headers, "content-type": "application/yaml" }, body: text };
}

/** Only the caller knows the name under which the venue is reached. */
const hostOf = ({ headers }: FastifyRequest): string => headers.host ?? "127.0.0.1";

const sendDocument = (reply: FastifyReply, document: object): FastifyReply =>
  reply
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(`${JSON.stringify(document, null, 2)}\n`);

const send = (reply: FastifyReply, { status, headers, body }: DocsAnswer): FastifyReply =>
  reply.code(status).headers(headers).send(body);
