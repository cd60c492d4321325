/** The answers of the controls, as their records in the simulator declare them: types alone. */
import type { ControlLibrary } from "../../control/all-controls.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- any arguments: only the answer is of interest.
type AnswerOf<F extends (...values: any[]) => unknown> = Awaited<ReturnType<F>>;

export type Clock = AnswerOf<ControlLibrary["clock"]["read"]>;
export type Products = AnswerOf<ControlLibrary["product"]["list"]>;
export type Product = Products["products"][number];
export type Book = AnswerOf<ControlLibrary["product"]["depth"]>;
export type Level = Book["bids"][number];
export type Trades = AnswerOf<ControlLibrary["product"]["trades"]>;
export type Candles = AnswerOf<ControlLibrary["product"]["candles"]>;
export type Trade = AnswerOf<ControlLibrary["trade"]["show"]>;
export type Orders = AnswerOf<ControlLibrary["order"]["list"]>;
export type OrderRow = Orders["orders"][number];
export type Story = AnswerOf<ControlLibrary["explain"]["read"]>;
export type Exchanges = AnswerOf<ControlLibrary["exchange"]["list"]>;
export type ExchangeRow = Exchanges["exchanges"][number];
export type Exchange = AnswerOf<ControlLibrary["exchange"]["read"]>;
export type Clients = AnswerOf<ControlLibrary["client"]["list"]>;
export type Client = AnswerOf<ControlLibrary["client"]["show"]>;
export type Ledger = AnswerOf<ControlLibrary["client"]["ledger"]>;
export type Keys = AnswerOf<ControlLibrary["key"]["list"]>;
export type Key = Keys[number];
export type Outcomes = AnswerOf<ControlLibrary["outcomes"]["read"]>;
export type Faults = AnswerOf<ControlLibrary["faults"]["read"]>;
export type Freedoms = AnswerOf<ControlLibrary["freedoms"]["read"]>;
export type Journal = AnswerOf<ControlLibrary["journal"]["read"]>;
export type Entry = Journal["entries"][number];
export type Worlds = AnswerOf<ControlLibrary["world"]["list"]>;
export type Diagnosis = AnswerOf<ControlLibrary["doctor"]["read"]>;
