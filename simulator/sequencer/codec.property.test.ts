/** Commands survive the journal: every kind is read back as it was written, and the chain sees every change. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Command, type CommandKind, commandKinds } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import { defaultSettings } from "../domain/settings.ts";
import { Drive } from "../engine/testing/drive.ts";
import { play, recordScript } from "../engine/testing/script.ts";
import { chainHash } from "./chain.ts";
import { decodeCommand, encodeCommand } from "./codec.ts";

const decimals = fc.constantFrom("1", "0.00000001", "12345678901234567890.12345678901234567890", "1.50");
const name = fc.string({ maxLength: 12 });
const count = fc.integer({ min: 0, max: 2 ** 40 });
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const fault = fc.constantFrom(
  { kind: "externalFailure", outcome: "certain" } as const,
  { kind: "externalFailure", outcome: "unknown", resolvesTo: "FAILED", afterMs: 5 } as const,
  { kind: "rejectByExchange", reason: "TRADING_HALTED" } as const,
  { kind: "neverSync" } as const,
  { kind: "course", steps: [{ do: "fill", afterMs: 5, percent: 50, betterBy: 2 }] } as const,
);

const order = fc.record({ order: count });
const deposit = { client: count, asset: name, network: orNull(name) };

/** One generator a kind; a kind that is missing here does not compile. */
const fieldsByKind: Readonly<Record<CommandKind, fc.Arbitrary<object>>> = {
  PlaceOrder: fc.record({
    client: count,
    clientOrderId: fc.uuid({ version: 4 }),
    product: fc.constantFrom("BTC-USD", "A-B"),
    side: fc.constantFrom("BUY", "SELL"),
    type: fc.constantFrom("LIMIT", "MARKET", "STOP_LIMIT"),
    baseQuantity: orNull(decimals),
    price: orNull(decimals),
    stopPrice: orNull(decimals),
    quoteValue: orNull(decimals),
    fault: orNull(fault),
  }),
  CancelOrder: fc.record({ client: count, order: count }),
  MatchOrder: order,
  ConfirmOrder: fc.record({ order: count, to: fc.constantFrom("OPEN", "FAILED") }),
  FinishCancel: order,
  TriggerStop: order,
  SyncOrders: fc.record({ orders: fc.array(count) }),
  RefreshLiquidity: fc.record({
    product: name,
    levels: fc.array(
      fc.record({ side: fc.constantFrom("BUY", "SELL"), price: decimals, quantity: decimals }),
    ),
  }),
  PrintTrade: fc.record({ product: name, price: decimals, quantity: decimals }),
  CreateDepositAddress: fc.record(deposit),
  CreateDeposit: fc.record({ ...deposit, amount: decimals, confirmations: count }),
  AdvanceDeposit: fc.record({ deposit: count, confirmations: count }),
  FailDeposit: fc.record({ deposit: count }),
  AdjustBalance: fc.record({
    client: count,
    asset: name,
    amount: decimals,
    direction: fc.constantFrom("credit", "debit"),
  }),
  ExpireOrder: order,
  SetHalted: fc.record({ product: name, halted: fc.boolean() }),
  SetApiEnabled: fc.record({ product: name, enabled: fc.boolean() }),
  SetClientRules: fc.record({
    client: count,
    product: name,
    enabled: fc.boolean(),
    minOrderSize: orNull(decimals),
    maxOrderSize: orNull(decimals),
    minQuoteValue: orNull(decimals),
    maxQuoteValue: orNull(decimals),
  }),
  SetTradingEnabled: fc.record({ client: count, enabled: fc.boolean() }),
  SetFees: fc.record({
    client: count,
    model: fc.constantFrom("ALL_IN", "COST_PLUS"),
    makerRate: decimals,
    takerRate: decimals,
    exchangeMakerRate: decimals,
    exchangeTakerRate: decimals,
  }),
  SetKeyState: fc.record({ keyId: name, state: fc.constantFrom("enabled", "disabled") }),
  SetFaults: fc.record({ rules: fc.array(fc.record({ id: name, fault })) }),
  ChangeSettings: fc.record({ settings: fc.constantFrom({}, { stp: "none" }, defaultSettings) }),
  MoveClock: fc.record({}),
  CancelByExchange: order,
  FillOrder: fc.record(
    { order: count, quantity: orNull(decimals), price: decimals },
    { requiredKeys: ["order", "quantity"] },
  ),
  HoldOrder: order,
  TakeCourse: order,
  CreateKey: fc.record({
    name,
    keyId: name,
    client: fc.option(fc.nat()),
    claims: fc.constant(["read:orders"]),
    salt: name,
  }),
  RotateKey: fc.record({ keyId: name, salt: name }),
};

describe("a command in the journal", () => {
  test.each([...commandKinds])("%s is read as it was written", (kind) => {
    fc.assert(
      fc.property(fieldsByKind[kind], (fields) => {
        const command = { kind, ...fields } as Command;
        const text = encodeCommand(command);
        expect(decodeCommand(kind, text)).toEqual(command);
        expect(text).not.toContain("\n");
      }),
      { numRuns: 100 },
    );
  });

  test("kinds keep their place for ever: a new one is appended", () => {
    expect([...commandKinds]).toEqual(Object.keys(fieldsByKind));
  });
});

describe("the chain", () => {
  const { spec, steps } = recordScript(3, 200);
  const drive = new Drive(spec);
  play(drive, steps);
  const entries = drive.take();
  const hashOf = (entry: { seq: number; at: number; command: Command; events: readonly Event[] }): string => {
    const { seq, at, command, events } = entry;
    return chainHash("0".repeat(32), {
      seq,
      at,
      kind: command.kind,
      command: encodeCommand(command),
      events,
    });
  };

  test("gives every entry its own hash", () => {
    expect(entries.length).toBeGreaterThan(150);
    expect(new Set(entries.map(hashOf)).size).toBe(entries.length);
  });

  test("notices an event that is left out, doubled or changed in any number, name or amount", () => {
    const change = (value: unknown): unknown => {
      if (typeof value === "bigint") return value + 1n;
      if (typeof value === "number") return value + 1;
      return typeof value === "boolean" ? !value : `${String(value)}x`;
    };
    // Members that the chain takes from the command's text and not from the event's.
    const inCommand = new Set(["terms", "rates", "kind", "product", "due"]);
    for (const entry of entries) {
      const hash = hashOf(entry);
      expect(hashOf({ ...entry, at: entry.at + 1 })).not.toBe(hash);
      expect(hashOf({ ...entry, seq: entry.seq + 1 })).not.toBe(hash);
      expect(hashOf({ ...entry, events: [...entry.events, ...entry.events] })).not.toBe(hash);
      for (const [index, event] of entry.events.entries()) {
        expect(hashOf({ ...entry, events: entry.events.toSpliced(index, 1) })).not.toBe(hash);
        for (const [field, value] of Object.entries(event)) {
          if (inCommand.has(field) || (typeof value === "object" && value !== null)) continue;
          const changed = { ...event, [field]: change(value) } as Event;
          expect(hashOf({ ...entry, events: entry.events.with(index, changed) })).not.toBe(hash);
        }
      }
    }
  });
});
