import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import type { ClaimedLevel } from "../model/clause.ts";
import { reasonsFor } from "../report/problems.ts";
import type { Report, ReportedClause } from "../report/report.ts";

/**
 * A statement about one run, signed by the holder of the key (docs/certificate.md). It states the claim, the suite, the
 * profile, and the digest of the report that proves it. It contains no private knowledge, so a verifier with the report
 * can compute it again.
 *
 * Known limit: it proves only that the holder of the key made the statement.
 */
export interface Certificate {
  readonly type: "gatewright-certificate/1";
  readonly level: ClaimedLevel;
  readonly verdict: string;
  readonly interface: { readonly document: string; readonly version: string; readonly digest: string };
  readonly suite: { readonly kit: string; readonly register: string; readonly digest: string };
  readonly target: { readonly name: string; readonly baseUrlHash: string };
  readonly profile: {
    readonly digest: string;
    readonly absent: readonly string[];
    readonly adopted: readonly string[];
    readonly rejected: readonly string[];
    /** The statements of the profile that promise a clause: `AUTH-41 by auth.signedPath: path`. */
    readonly promised: readonly string[];
  };
  readonly run: {
    readonly started: string;
    readonly ended: string;
    readonly challenge: string;
    readonly seed: number;
    readonly clockSkew: string;
    readonly requests: number;
    readonly orders: number;
    readonly report: string;
  };
  readonly clauses: {
    readonly required: {
      readonly satisfied: number;
      readonly warned: number;
      readonly violated: number;
      readonly unverified: number;
      readonly notApplicable: number;
    };
    readonly warned: readonly string[];
    readonly notApplicable: readonly string[];
    /** Clauses that were not tried because the profile does not supply their needs, each with those needs. */
    readonly notTried: readonly string[];
    readonly untestable: number;
  };
  readonly expires: string;
  readonly signature: Signature;
}

export interface Signature {
  readonly alg: "Ed25519";
  /** The public key: 32 bytes in base64url, as in a JWK. */
  readonly key: string;
  readonly value: string;
}

export type Statement = Omit<Certificate, "signature">;

export interface InterfaceDocument {
  readonly title: string;
  readonly interfaceVersion: string;
  readonly sha256: string;
}

export const validDays = 180;

/** The certificate without its signature, from the report and the verifier's challenge. */
export function statementOf(
  report: Report,
  reportText: string,
  challenge: string,
  document: InterfaceDocument,
): Statement {
  const ended = new Date(Date.parse(report.startedAt) + report.durationMs).toISOString();
  const { presence, target, suite } = report;
  const stances = Object.entries(presence.assumptions);
  const absent = [...Object.entries(presence.capabilities), ...Object.entries(presence.operations)]
    .filter(([, word]) => word === "absent")
    .map(([name]) => name);
  return {
    type: "gatewright-certificate/1",
    level: report.level,
    verdict: report.verdict,
    interface: {
      document: document.title,
      version: document.interfaceVersion,
      digest: `sha256:${document.sha256}`,
    },
    suite: { kit: report.kit, register: suite.register, digest: suite.suite },
    target: { name: target.name, baseUrlHash: digestOf(target.baseUrl) },
    profile: {
      digest: report.profile ?? "none",
      absent,
      adopted: stances.filter(([, stance]) => stance === "adopt").map(([id]) => id),
      rejected: stances.filter(([, stance]) => stance === "reject").map(([id]) => id),
      promised: Object.entries(report.rules.promises ?? {}).map(([id, statement]) => `${id} by ${statement}`),
    },
    run: {
      started: report.startedAt,
      ended,
      challenge,
      seed: report.seed,
      clockSkew: target.notes["clockSkew"] ?? "unknown",
      requests: report.summary.requests,
      orders: report.summary.orders,
      report: digestOf(reportText),
    },
    clauses: countsOf(report),
    expires: new Date(Date.parse(ended) + validDays * 86_400_000).toISOString(),
  };
}

function countsOf({ clauses, cases }: Report): Statement["clauses"] {
  const claimed = clauses.filter((clause) => clause.claimed);
  const count = (outcome: ReportedClause["outcome"]): number =>
    claimed.filter((clause) => clause.outcome === outcome).length;
  const ids = (outcome: ReportedClause["outcome"]): string[] =>
    clauses.filter((clause) => clause.outcome === outcome && clause.aliasOf.length === 0).map(({ id }) => id);
  return {
    required: {
      satisfied: count("satisfied"),
      warned: count("warned"),
      violated: count("violated"),
      unverified: count("unverified"),
      notApplicable: count("n/a"),
    },
    warned: ids("warned"),
    notApplicable: ids("n/a"),
    notTried: clauses
      .filter(({ notTried }) => notTried === true)
      .map((clause) => `${clause.id}: ${reasonsFor({ cases }, clause).join("; ")}`),
    untestable: ids("untestable").length,
  };
}

export function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`;
}

/** The verifier's challenge determines the order and the choices of the run. */
export function seedOf(challenge: string): number {
  const digest = createHash("sha256").update(`gatewright-certificate/1\n${challenge}`, "utf8").digest();
  return (digest.readUInt32BE(0) % (2 ** 31 - 1)) + 1;
}

/** The signed bytes: the statement with the signature's own members, in the canonical form of RFC 8785. */
export function signedBytes(statement: object, { alg, key }: Pick<Signature, "alg" | "key">): Buffer {
  // as: an object always has a canonical form.
  return Buffer.from(canonicalize({ ...statement, signature: { alg, key } }) as string, "utf8");
}
