import { match } from "../../check/match.ts";
import { noContext } from "../../check/matching.ts";
import { durationMs } from "../../model/duration.ts";
import { type Exchange, textOf } from "../../model/exchange.ts";
import { referencesIn, soleReference, withReferences } from "../../model/expr.ts";
import { Blocked, NotApplicable } from "../../model/outcome.ts";
import type { StreamChannel, StreamPlan } from "../../model/stream.ts";
import { asMap, isList, isMap, textsIn, toJsonText, type Value, type ValueMap } from "../../model/value.ts";
import { sendText } from "./stream-send.ts";
import type { StreamAt } from "./stream-step.ts";

/**
 * Sends the message that the profile describes and waits until the target confirms it. A refusal (an event `error` in
 * place of the confirmation) is the result of the step, so that `expect` can judge it.
 */
export async function runSubscribe(filled: Value, at: StreamAt): Promise<Exchange | boolean> {
  const plan = planOf(at);
  const options = asMap(filled);
  const channel = channelOf(options, plan);
  if (channel.automatic) return true;
  if (plan.subscribe === undefined)
    throw new Blocked("the profile does not describe how to subscribe: add ws.subscribe");
  const names = namesOf(options, channel, at);
  const { stream } = at;
  const from = stream.messages.length;
  await sendAll(plan.subscribe, names, options["products"], at);
  if (options["ack"] === "none" || plan.ack === "none") {
    stream.unawaited.push(from);
    return true;
  }
  if (plan.ack === undefined)
    throw new Blocked("the profile does not describe what confirms a subscription: add ws.ack (or none)");
  const isRefusal = refusalOf(plan.subscribe, names, at);
  return confirmation(fill(plan.ack, names) ?? {}, isRefusal, from, options, at);
}

/** Waits for the confirmation if the profile describes one: until then the target may send what happens. */
export async function runUnsubscribe(filled: Value, at: StreamAt): Promise<true> {
  const { stream, step, run } = at;
  const plan = planOf(at);
  const options = asMap(filled);
  if (plan.unsubscribe === undefined)
    throw new Blocked("the profile does not describe how to unsubscribe: add ws.unsubscribe");
  const names = namesOf(options, channelOf(options, plan), at);
  const from = stream.messages.length;
  if (typeof options["channel"] === "string") stream.numbers.leave(options["channel"]);
  await sendAll(plan.unsubscribe, names, options["products"], at);
  const wanted = fill(plan.unsubscribed ?? "none", names) ?? "none";
  if (options["ack"] === "none" || wanted === "none") return true;
  const isConfirmed = ({ json }: Exchange): boolean => match(wanted, json, noContext).length === 0;
  const found = await stream.next(isConfirmed, from, confirmedWithinMs, run.signal);
  const answer = found === undefined ? undefined : stream.messages[found];
  if (answer === undefined)
    throw new Blocked(`within ${confirmedWithinMs} ms nothing confirmed that the channel was left`);
  run.trace.add(step.id ?? "unsubscribe", answer);
  return true;
}

const confirmedWithinMs = 5000;

/**
 * If the request has an id, an error without that id is the answer to another request. Without ids, the first errors
 * can be late answers to subscriptions that nobody waited for.
 */
function refusalOf(
  template: ValueMap,
  { requestId }: ValueMap,
  { stream: { messages, unawaited }, step }: StreamAt,
): (message: Exchange) => boolean {
  const named = namesIn(template).includes("requestId");
  const isAsked = Object.keys(step.assertions).length > 0;
  const isLate = (message: Exchange): boolean =>
    messages.slice(unawaited[0], messages.indexOf(message) + 1).filter(isError).length <= unawaited.length;
  return (message) => {
    if (!isError(message)) return false;
    if (named) return textOf(message.stream?.body ?? new Uint8Array()).includes(String(requestId));
    return isAsked || unawaited.length === 0 || !isLate(message);
  };
}

const isError = ({ stream: sight }: Exchange): boolean => sight?.event.get("is") === "error";

async function confirmation(
  wanted: Value,
  isRefusal: (message: Exchange) => boolean,
  from: number,
  options: ValueMap,
  { stream, step, run }: StreamAt,
): Promise<Exchange | boolean> {
  const withinMs = durationMs(String(options["within"] ?? "")) ?? confirmedWithinMs;
  const isAck = ({ json }: Exchange): boolean => match(wanted, json, noContext).length === 0;
  const found = await stream.next(
    (message) => isAck(message) || isRefusal(message),
    from,
    withinMs,
    run.signal,
  );
  const answer = found === undefined ? undefined : stream.messages[found];
  if (found !== undefined) stream.read = found + 1;
  if (answer !== undefined) run.trace.add(step.id ?? "subscribe", answer);
  if (answer !== undefined && (isAck(answer) || Object.keys(step.assertions).length > 0)) return answer;
  stream.assertHeard();
  const others = `${stream.messages.length - from} other messages${stream.endText}`;
  const came = answer?.json === undefined ? others : "an error";
  run.report(
    step,
    "expect",
    [{ pointer: "event", expected: `within ${withinMs} ms: ${toJsonText(wanted)}`, actual: came }],
    answer,
  );
  return false;
}

function planOf({ run }: StreamAt): StreamPlan {
  const plan = run.session.profile.stream;
  if (plan === undefined) throw new Blocked("the profile does not describe the stream: add ws");
  return plan;
}

/** `name` is the target's own name, for channels that the profile does not map. */
export function channelOf({ channel, name }: ValueMap, { channels }: StreamPlan): StreamChannel {
  if (typeof name === "string") return { name, automatic: false };
  const found = channels[String(channel)];
  if (found === "absent")
    throw new NotApplicable(`the profile says that the stream has no ${String(channel)}`);
  if (found === undefined)
    throw new Blocked(
      `the channel ${String(channel)} is not mapped: add it under ws.channels in the profile`,
    );
  return found;
}

function namesOf(options: ValueMap, channel: StreamChannel, { stream }: StreamAt): ValueMap {
  const extra = isMap(options["with"]) ? options["with"] : {};
  const { products } = options;
  return {
    channel: channel.name,
    ...(products === undefined ? {} : { products }),
    requestId: stream.nextRequestId(),
    ...extra,
  };
}

/** A template for one product is sent once for each product. */
async function sendAll(
  template: ValueMap,
  names: ValueMap,
  products: Value | undefined,
  at: StreamAt,
): Promise<void> {
  const single = namesIn(template).includes("product");
  const each = single && isList(products) ? products.map((product) => ({ ...names, product })) : [names];
  for (const one of each) await sendText(toJsonText(fill(template, one) ?? {}), at);
}

const namesIn = (template: ValueMap): string[] => textsIn(template).flatMap(referencesIn);

/** `${name}` keeps the type of its value; a key whose value is an undefined name is left out. */
export function fill(template: Value, names: ValueMap): Value | undefined {
  if (typeof template === "string") {
    const whole = soleReference(template);
    if (whole !== undefined) return names[whole];
    return withReferences(template, (name) => String(names[name] ?? ""));
  }
  if (isList(template))
    return template.map((item) => fill(item, names)).filter((item): item is Value => item !== undefined);
  if (!isMap(template)) return template;
  const entries = Object.entries(template).flatMap(([key, item]): [string, Value][] => {
    const value = fill(item, names);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(entries);
}
