import { type Exchange, isSuccess } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import { isArray, isInteger, JsonNumber, JsonObject } from "../model/json.ts";
import { describeJson } from "./describe.ts";

/** Checks the envelope rules ENV-01 to ENV-07 on one reply. `any` leaves `success` open (failed outcomes, AS-10). */
export function envelopeDifferences(exchange: Exchange, kind: string): Difference[] {
  const { json, jsonProblem, reply } = exchange;
  if (kind === "error") return errorEnvelope(exchange);
  // The envelope clauses cover successes; an error reply is no broken envelope, but another result than expected.
  if (!isSuccess(exchange))
    return [{ pointer: "status", expected: "2xx with the envelope", actual: String(reply?.status) }];
  if (!(json instanceof JsonObject)) {
    return [
      {
        pointer: "",
        expected: "the envelope object",
        actual: jsonProblem ?? describeJson(json),
        clause: "GEN-07",
      },
    ];
  }
  const found: Difference[] = [];
  const say = (pointer: string, expected: string, clause: string): void => {
    found.push({ pointer, expected, actual: describeJson(json.get(pointer.slice(1))), clause });
  };
  const [statusCode, success, message, data] = ["statusCode", "success", "message", "data"].map((key) =>
    json.get(key),
  );
  if (statusCode === undefined) say("/statusCode", "a status code", "ENV-01");
  else if (!isInteger(statusCode)) say("/statusCode", "an integral JSON number", "ENV-02");
  else if (!sameStatus(statusCode, reply?.status))
    say("/statusCode", `${reply?.status} as in the status line`, "ENV-03");
  if (typeof success !== "boolean") say("/success", "true or false", "ENV-04");
  else if (!success && kind === "ok") say("/success", "true", "ENV-05");
  if (message !== undefined && message !== null && typeof message !== "string")
    say("/message", "a string", "ENV-06");
  if (data !== undefined && !isArray(data) && !(data instanceof JsonObject))
    say("/data", "an object or array", "ENV-07");
  return found;
}

const sameStatus = (value: unknown, status: number | undefined): boolean =>
  value instanceof JsonNumber && value.lexeme === String(status);

/**
 * The specification does not show the shape of errors, but their content must not contradict the status line (ENV-09).
 */
export function errorEnvelope(exchange: Exchange): Difference[] {
  const { json, reply } = exchange;
  if (!(json instanceof JsonObject)) return [];
  const found: Difference[] = [];
  const statusCode = json.get("statusCode");
  if (statusCode !== undefined && !sameStatus(statusCode, reply?.status)) {
    found.push({
      pointer: "/statusCode",
      expected: String(reply?.status),
      actual: describeJson(statusCode),
      clause: "ENV-09",
    });
  }
  if (json.get("success") === true) {
    found.push({ pointer: "/success", expected: "false or absent", actual: "true", clause: "ENV-09" });
  }
  return found;
}
