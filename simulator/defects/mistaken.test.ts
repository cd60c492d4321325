/** Every defect of fixtures/signing/mistakes.yaml against requests that are signed rightly, and with its mistakes. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Authenticator } from "../auth/authenticate.ts";
import { appliesTo, mistakenSigner, type RequestToSign } from "../auth/mistaken-signature.ts";
import { knownMistakes, type MistakenDefect } from "../auth/mistakes.ts";
import { secret, traderKeyId } from "../auth/testing/sign.ts";
import { now, testVenue } from "../auth/testing/venue.ts";
import type { SeamParts } from "../seams.ts";
import { mistakenDefects } from "./mistaken.ts";

const request = (method: string, body = "", more: Partial<RequestToSign> = {}): RequestToSign => ({
  keyId: traderKeyId,
  secret,
  method,
  target: "/api/v1/trading/order",
  host: "localhost:8080",
  timestamp: String(now),
  nonce: randomUUID(),
  contentType: "application/json; charset=utf-8",
  body: Buffer.from(body),
  signedPath: "path",
  ...more,
});

const requests = (): readonly RequestToSign[] => [
  request("GET"),
  request("DELETE"),
  request("DELETE", "{}", { contentType: "application/json" }),
  request("POST", '{ "a": "e\u0301" }\n'),
  request("POST", `{"a":"${"x".repeat(5000)}"}`),
  request("GET", "", { timestamp: `0${now}`, nonce: randomUUID().toUpperCase(), contentType: undefined }),
];

function accepts(authenticator: Authenticator, sent: RequestToSign, signature: string): boolean {
  const screened = authenticator.screen({ ...sent, signature, repeated: null });
  if (!screened.ok) throw new Error(screened.error.message);
  return authenticator.verify(screened.value, sent).ok;
}

function venueWith({ id }: MistakenDefect): Authenticator {
  const decorate = mistakenDefects.find((defect) => defect.id === id)?.decorate;
  // as: the decorators of this room look at no part of the venue.
  const decorated = decorate?.({} as SeamParts).authenticator?.(testVenue().authenticator);
  if (decorated === undefined) throw new Error(`${id} decorates nothing`);
  return decorated;
}

const { mistakes, defects } = knownMistakes();

describe.each(defects.map((defect) => [`${defect.id} ${defect.title}`, defect] as const))(
  "%s",
  (_name, defect) => {
    const edits = (defect.only ?? defect.also ?? []).map(
      (id) => mistakes.find((mistake) => mistake.id === id)?.edit ?? {},
    );
    const possible = (sent: RequestToSign): readonly string[] =>
      appliesTo(defect.when, sent)
        ? edits.flatMap((edit) => mistakenSigner(sent)(edit)?.signature ?? [])
        : [];

    test("accepts each of its mistakes, which a venue without it refuses", () => {
      const made = edits.map((edit) => {
        const tries = requests().filter(
          (sent) => appliesTo(defect.when, sent) && mistakenSigner(sent)(edit) !== null,
        );
        for (const sent of tries) {
          const signature = mistakenSigner(sent)(edit)?.signature ?? "";
          const plain = accepts(testVenue().authenticator, sent, signature);
          // In hex, either case is right by default.
          expect(plain).toBe(edit.signature === "upper");
          expect(accepts(venueWith(defect), sent, signature)).toBe(true);
        }
        return tries.length;
      });
      expect(Math.min(...made)).toBeGreaterThan(0);
    });

    test("accepts the right signature except where it takes a mistake for it", () => {
      for (const sent of requests()) {
        const isMistaken = defect.only !== undefined && possible(sent).length > 0;
        expect(accepts(venueWith(defect), sent, mistakenSigner(sent)()?.signature ?? "")).toBe(!isMistaken);
      }
    });

    test("accepts no other signature, and its mistakes on no other request", () => {
      for (const sent of requests()) {
        const elsewhere = appliesTo(defect.when, sent)
          ? []
          : edits.flatMap((edit) => mistakenSigner(sent)(edit)?.signature ?? []);
        for (const signature of ["0".repeat(64), ...elsewhere])
          expect(accepts(venueWith(defect), sent, signature)).toBe(false);
      }
    });
  },
);
