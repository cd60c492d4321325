/** How readers are written: which requests they need, and what they make of the answers. */

import { resolvePointer } from "../check/pointer.ts";
import { isSuccess } from "../model/exchange.ts";
import { answerOf, statusOf } from "../probe/ask.ts";
import type { Reader, Round, Sample, Told } from "./sighting.ts";

/** An option or, with `untold`, why there is none; the evidence is the answers if nothing better is given. */
type Judgement =
  | string
  | { readonly untold: string }
  | { readonly option: string; readonly evidence: string };

export const untold = (reason: string): Judgement => ({ untold: reason });

/** The samples are there, and each has an answer. */
export function reader<const Names extends readonly string[]>(
  freedom: string,
  names: Names,
  judge: (...samples: { readonly [Index in keyof Names]: Sample }) => Judgement,
): Reader {
  return { freedom, read: (round) => [told(round, names, judge as (...samples: Sample[]) => Judgement)] };
}

/** Each of the samples alone can show the option; those that cannot are passed over. */
export function readerOfEach(
  freedom: string,
  names: readonly string[],
  judge: (sample: Sample) => Judgement,
): Reader {
  return { freedom, read: (round) => names.map((name) => told(round, [name], judge)) };
}

function told(round: Round, names: readonly string[], judge: (...samples: Sample[]) => Judgement): Told {
  const found = names.map((name) => round.samples.get(name));
  const samples = found.filter((sample) => sample !== undefined);
  if (samples.length < names.length) {
    const lacking = names.find((name) => !round.samples.has(name)) ?? "";
    const why = round.missing.get(probeOf(lacking)) ?? "it was not sent";
    return { untold: `${lacking}: ${why}`, evidence: "" };
  }
  const seen = names.map((name, index) => shown(name, samples[index])).join("; ");
  const silent = names.find((_, index) => samples[index]?.exchange.reply === undefined);
  if (silent !== undefined) return { untold: `${silent} was not answered`, evidence: seen };
  const judged = judge(...samples);
  if (typeof judged === "string") return { option: judged, evidence: seen };
  return "untold" in judged ? { ...judged, evidence: seen } : judged;
}

const probeOf = (name: string): string => name.split(":")[0] ?? "";

function shown(name: string, sample: Sample | undefined): string {
  if (sample === undefined) return name;
  const { exchange, note } = sample;
  return `${name} ${note ?? brief(sample, answerOf(exchange))}`;
}

/** A success is told by its kind; a refusal by its words. */
function brief({ exchange }: Sample, answer: string): string {
  if (!isSuccess(exchange)) return answer;
  const kind = resultOf(exchange);
  return kind === undefined ? String(statusOf(exchange)) : `${statusOf(exchange)} ${kind}`;
}

function resultOf({ json }: Sample["exchange"]): string | undefined {
  const type = resolvePointer(json, "#/data/type");
  return typeof type === "string" ? type.slice(0, 40) : undefined;
}

export const status = ({ exchange }: Sample): number => statusOf(exchange);
export const isOk = ({ exchange }: Sample): boolean => isSuccess(exchange);
export const result = ({ exchange }: Sample): string | undefined => resultOf(exchange);
export const isNew = (sample: Sample): boolean => isOk(sample) && result(sample) === "NEW_ORDER";
export const isRepeat = (sample: Sample): boolean => isOk(sample) && result(sample) === "DUPLICATE_REPLAY";
/** Looked at and refused; a 401 would be about the signature. */
export const isRefused = (sample: Sample): boolean => [400, 404, 409, 422].includes(status(sample));
