/**
 * The OpenAPI 3.1 document, made from what the venue runs on: routes, schemas, claims and the table of
 * errors. The same input gives the same text. Nothing here runs before the first request for the document.
 */
import type { ClaimTable } from "../auth/claims.ts";
import { titled } from "../schema/titled.ts";
import { schemaComponents } from "../wire/components.ts";
import { document, pathsOf } from "./openapi/document.ts";
import { idsOfExamples } from "./openapi/examples.ts";
import { describeRoute, gatewayResponses, refusalExamples, styleWith } from "./openapi/gateway.ts";
import { healthPaths } from "./openapi/health.ts";
import {
  apiTitle,
  type DocumentedVenue,
  defaultVenue,
  description,
  interfaceVersion,
  securitySchemes,
  tags,
} from "./openapi/prose.ts";
import type { RecordIds } from "./openapi/record-ids.ts";
import { headerSet, type Node } from "./openapi/responses.ts";
import type { Route } from "./route.ts";

export interface OpenApiSource {
  readonly routes: readonly Route[];
  readonly claims: ClaimTable;
  /** A path is best: it is relative to where the document was read, so it holds behind a proxy, too. */
  readonly server: string;
  /** Texts about signing and about unknown names; by default those for the default settings. */
  readonly venue?: DocumentedVenue;
  /** Asked at each reading; by default those of the examples, which no venue has. */
  readonly ids?: () => RecordIds;
}

/** `signed: false` leaves the security schemes out, for tools behind a proxy that signs. */
export interface OpenApiVariant {
  readonly signed: boolean;
  /** Host and port under which the reader reached the venue, for the example that can be pasted. */
  readonly host?: string;
}

const noHost = "127.0.0.1:8080";

export function openApiDocument(
  { routes, claims, server, venue = defaultVenue, ids = () => idsOfExamples }: OpenApiSource,
  { signed, host = noHost }: OpenApiVariant,
): Node {
  return document(
    {
      info: {
        title: apiTitle,
        version: interfaceVersion,
        summary: "As the Gatewright simulator serves it",
        description: description(signed, venue, host),
      },
      server,
      tags,
      securitySchemes: signed ? securitySchemes : {},
      components: {
        schemas: Object.fromEntries(
          Object.entries(schemaComponents).map(([name, schema]) => [name, titled(name, schema)]),
        ),
        headers: headerSet,
        responses: gatewayResponses(),
        examples: refusalExamples(routes),
      },
    },
    { ...pathsOf(routes, styleWith(ids()), (route) => describeRoute(route, claims)), ...healthPaths },
  );
}

/** The text of each variant, kept for the host that asked last until the ids change. */
export function openApiTexts(source: OpenApiSource): (variant: OpenApiVariant) => string {
  const made = new Map<boolean, { readonly key: string; readonly text: string }>();
  return (variant) => {
    const known = made.get(variant.signed);
    const key = JSON.stringify([variant.host, source.ids?.()]);
    if (known?.key === key) return known.text;
    const text = `${JSON.stringify(openApiDocument(source, variant), null, 2)}\n`;
    made.set(variant.signed, { key, text });
    return text;
  };
}
