import { type Exchange, headerOf, isSuccess } from "../model/exchange.ts";
import { isWithin, type SafetyClass } from "../model/profile.ts";
import type { Session } from "../runner/session.ts";
import { answerOf, ask, statusOf } from "./ask.ts";
import { candidates, streamPaths } from "./candidates.ts";
import type { OperationFinding, ProbeFindings } from "./findings.ts";

/** The claims of each key, as far as reads show them; a refused placement shows the fourth claim. */
export async function claimsOf(
  session: Session,
  operations: readonly OperationFinding[],
  allow: SafetyClass,
): Promise<ProbeFindings["claims"]> {
  const ofAccount = candidates.filter((one) => one.ofAccount === true).map(({ operation }) => operation);
  const account = operations.find(
    ({ operation, mapping }) => mapping !== undefined && ofAccount.includes(operation),
  )?.mapping;
  const reads: readonly (readonly [string, string | undefined])[] = [
    ["read:orders", "/order/open"],
    ["read:market-data", "/product"],
    ["read:account", account?.["path"]],
  ];
  const claims: Record<string, { shown: string[]; evidence: string }> = {};
  for (const role of Object.keys(session.profile.credentials)) {
    const shown: string[] = [];
    const seen: string[] = [];
    for (const [claim, path] of reads) {
      if (path === undefined) continue;
      const exchange = await ask(session, { path, role });
      if (isSuccess(exchange)) shown.push(claim);
      else seen.push(`${claim}: ${answerOf(exchange)}`);
    }
    if (isWithin("reject-only", allow)) {
      // A body without any field cannot become an order at any gateway.
      const exchange = await ask(session, { method: "POST", path: "/order", role, body: "{}" });
      if (statusOf(exchange) === 400 || statusOf(exchange) === 422) shown.push("write:orders");
      else seen.push(`write:orders: ${answerOf(exchange)}`);
    } else seen.push("write:orders: not tried without --allow reject-only");
    claims[role] = { shown, evidence: seen.join("; ") };
  }
  return claims;
}

/** The same harmless GET with a query, signed once over the path and once over path and query (AS-03). */
export async function signedPathOf(session: Session): Promise<ProbeFindings["signedPath"]> {
  const path = "/product?gatewright=1";
  const alone = await ask(session, { path, signedPath: "/product" });
  const both = await ask(session, { path, signedPath: path });
  const evidence = `a GET with a query, signed over the path alone: ${statusOf(alone)}; with the query: ${statusOf(both)}`;
  if (isVerified(alone, both)) return { value: "path", evidence };
  return { value: isVerified(both, alone) ? "pathAndQuery" : "unknown", evidence };
}

/** A target may refuse an unknown parameter. It has verified the signature if the other request gets a 401. */
function isVerified(exchange: Exchange, other: Exchange): boolean {
  return isSuccess(exchange) || (statusOf(exchange) === 400 && statusOf(other) === 401);
}

/** No handshake is made: a stream answers a plain GET with a request for an upgrade. */
export async function streamOf(session: Session): Promise<ProbeFindings["stream"]> {
  for (const path of streamPaths) {
    const exchange = await ask(session, { path });
    const wanted = headerOf(exchange.reply, "upgrade")?.toLowerCase() === "websocket";
    if (!wanted && statusOf(exchange) !== 426) continue;
    const { href } = new URL(exchange.request.path, session.profile.baseUrl);
    return { url: href.replace(/^http/, "ws"), evidence: `GET ${path} ${answerOf(exchange)}` };
  }
  return undefined;
}
