/** The story of a request out of the exchange log: what it was, the first check that refused it, and what was answered. */
import { checksOf } from "../exchanges/checks.ts";
import type { LoggedExchange } from "../exchanges/exchange.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Fact } from "./fact.ts";
import { freedomsFact } from "./freedoms-fact.ts";

export function explainRequest(exchange: LoggedExchange): Fact[] {
  const { at, key, request, durationMs, answer, entries, faults, freedoms } = exchange;
  const entry = entries?.first ?? null;
  const received: Fact = {
    code: "RECEIVED",
    sentence: `${key === null ? "A key that no world knows" : `The key ${key}`} sent ${request.method} ${request.target}.`,
    values: { receivedAt: isoTime(at), key, method: request.method, target: request.target },
    entry,
  };
  const lost: Fact = {
    code: "ANSWER_LOST",
    sentence:
      entries === null
        ? "The connection ended before an answer had left. Nothing was done."
        : "The connection ended before the answer had left, and what was asked for is done all the same: a retry with the same client_order_id gets the answer.",
    values: { first: entries?.first ?? null, last: entries?.last ?? null },
    entry,
  };
  const fired = faults.map(
    ({ rule, kind }): Fact => ({
      code: "FAULT",
      sentence: `The fault rule ${rule} applied to it: ${kind}.`,
      values: { rule, fault: kind },
      entry,
    }),
  );
  const end = answer.code === null || answer.status === 0 ? answered(exchange) : refused(exchange);
  const varied = freedomsFact(freedoms).map((fact): Fact => ({ ...fact, entry }));
  const told = answer.status === 0 ? [] : [end, ...examined(exchange)];
  return [received, ...varied, ...fired, ...told, ...(answer.sent ? [] : [lost])].map((fact) =>
    fact === end ? { ...fact, values: { ...fact.values, durationMs } } : fact,
  );
}

function answered({ answer: { status }, entries, stream }: LoggedExchange): Fact {
  const caused =
    entries === null
      ? "It changed nothing in the journal."
      : `It became entry ${entries.first} of the journal.`;
  const socket =
    stream === null
      ? "The WebSocket is open."
      : `The WebSocket ended with ${stream.code} ${stream.reason}`.trim();
  return {
    code: "ANSWERED",
    sentence: `It passed every check and was answered with ${status}. ${status === 101 ? socket : caused}`,
    values: { status, first: entries?.first ?? null, last: entries?.last ?? null },
    entry: entries?.first ?? null,
  };
}

function refused(exchange: LoggedExchange): Fact {
  const { status, code, body } = exchange.answer;
  const checks = checksOf(exchange);
  const check = checks.at(-1)?.check ?? null;
  const message = messageIn(body.text);
  const rule = exchange.faults.find((fault) => fault.refused)?.rule;
  const passed = `after ${checks.length - 1} that passed`;
  const because =
    rule === undefined
      ? `the check that failed is "${check}", ${passed}`
      : `the fault rule ${rule} asked for it, and no check failed`;
  return {
    code: "REFUSED",
    sentence: `It was refused with ${status} ${code ?? ""}: ${because}. The answer said: ${message}`,
    values: { status, code, check, message },
    entry: null,
  };
}

/** The mistake behind a wrong signature: both texts, and where they differ. */
function examined({ signature }: LoggedExchange): Fact[] {
  if (signature === null || signature.state === "notSearched") return [];
  const { state, mistakes, hint, expectedCanonical, signedCanonical, firstDifference, tried } = signature;
  const unfinished = state === "unfinished" ? ", and there was no time for the others" : "";
  const nothing = `None of the ${tried} mistakes and pairs of mistakes that were tried gives this signature${unfinished}: most likely the secret is another, or the body was changed after signing.`;
  return [
    {
      code: "SIGNATURE",
      sentence: hint ?? nothing,
      values: {
        mistakes: mistakes.join(" "),
        expectedCanonical,
        signedCanonical,
        differsInLine: firstDifference?.line ?? null,
        differsAtByte: firstDifference?.byte ?? null,
        tried,
      },
      entry: null,
    },
  ];
}

function messageIn(text: string | undefined): string {
  try {
    // as: the body of an error, and nothing is claimed of it before it is read.
    return String((JSON.parse(text ?? "") as { readonly message?: unknown }).message);
  } catch {
    return "nothing that can be read";
  }
}
