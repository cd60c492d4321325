import { counted } from "../model/counted.ts";
import { hiddenValue } from "../recording/hidden.ts";
import type { RecordedExchange } from "../recording/recording.ts";
import { isRespaced } from "./request.ts";
import type { Turn } from "./turn.ts";

/** What the file does not show of its requests and answers, in sentences. */
export function gapsIn(turns: readonly Turn[]): string[] {
  const say = (chosen: readonly Turn[], sentence: (requests: string) => string): string[] =>
    chosen.length === 0 ? [] : [sentence(requestsOf(chosen))];
  const bodies = turns.filter(({ exchange: { answer } }) => (answer?.body.length ?? 0) > 0);
  const codings = new Set(bodies.flatMap(({ exchange: { answer } }) => answer?.body.coding ?? []));
  const lost = bodies.filter(
    ({ exchange: { answer } }) => answer?.body.cut === true && answer.body.coding === undefined,
  );
  const respaced = turns.filter(isRespaced).length;
  return [
    ...(respaced === 0
      ? []
      : [`${counted(respaced, "body", "bodies")} had blanks between the values: sent without`]),
    ...hiddenHeaders(turns),
    ...say(
      turns.filter(({ isRebuilt }) => isRebuilt === true),
      (requests) => `${requests}: the body is not in this file, or not all of it; it is made of the answer`,
    ),
    ...say(
      lost,
      (requests) =>
        `${requests}: the body of the answer is not in this file, or not all of it: only the status is expected`,
    ),
    ...say(
      bodies.filter(({ exchange: { answer } }) => answer?.body.coding !== undefined),
      (requests) =>
        `${requests}: the answer is not what its content coding says (${[...codings].join("; ")}), or that is not known here: only the status is expected`,
    ),
    ...say(
      turns.filter(({ hidesAnswer }) => hidesAnswer),
      (requests) => `${requests}: values of the answer were hidden; nothing is expected of them`,
    ),
  ];
}

const mostNamed = 5;

function requestsOf(turns: readonly Turn[]): string {
  const ids = turns.map(({ exchange }) => exchange.id);
  const more = ids.length > mostNamed ? ", …" : "";
  return ids.length === 1
    ? `request ${ids[0]}`
    : `${counted(ids.length, "request")} (${ids.slice(0, mostNamed).join(", ")}${more})`;
}

function hiddenHeaders(turns: readonly Turn[]): string[] {
  const isHidden = ([name, value]: RecordedExchange["request"]["headers"][number]): boolean =>
    /^x-api-/i.test(name) && value === hiddenValue;
  const hiding = turns.filter(({ exchange }) => exchange.request.headers.some(isHidden));
  if (hiding.length === 0) return [];
  const names = new Set(
    hiding.flatMap(({ exchange }) =>
      exchange.request.headers.filter(isHidden).map(([name]) => name.toUpperCase()),
    ),
  );
  const keys = names.has("X-API-KEY") ? ", all of them with one key" : "";
  return [`${requestsOf(hiding)}: ${[...names].join(", ")} hidden; they count as rightly signed${keys}`];
}
