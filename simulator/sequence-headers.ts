/** The headers of a store that nodes share which say where in its journal a world stood, and how far it has to be. */
import type { IncomingMessage } from "node:http";

/** Of an answer: the last entry of the state that it is made of. */
export const sequenceHeader = "x-gatewright-sequence";
/** Of a request: the answer is to be made of a state with this entry. */
const minSequenceHeader = "x-gatewright-min-sequence";

/** Zero when nothing is asked for; not a number when that cannot be read. */
export const minSequenceOf = ({ headers }: IncomingMessage): number => {
  const text = String(headers[minSequenceHeader] ?? "0");
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
};
