import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import type { WalletNames } from "../model/profile.ts";
import { type ExactDecimal, parseDecimal, plain } from "./decimal.ts";
import { resolvePointer } from "./pointer.ts";

/**
 * The amounts of one asset in a listing of wallets. The document shows no wallet, so the names come from the profile.
 * Two of balance, hold and available determine the third; a listing with fewer determines nothing.
 */
export function walletIn(
  listing: Json | undefined,
  asset: string,
  names: WalletNames,
): JsonObject | undefined {
  const record = (isArray(listing) ? listing : []).find((one) => resolvePointer(one, names.asset) === asset);
  const [balance, hold, available] = [names.balance, names.hold, names.available].map((pointer) =>
    amountAt(record, pointer),
  );
  const free = available ?? (hold === undefined ? undefined : balance?.minus(hold));
  const whole = balance ?? (hold === undefined ? undefined : free?.plus(hold));
  if (whole === undefined || free === undefined) return undefined;
  const amounts = { balance: whole, hold: hold ?? whole.minus(free), available: free };
  return new JsonObject(new Map(Object.entries(amounts).map(([name, amount]) => [name, plain(amount)])));
}

function amountAt(record: Json | undefined, pointer: string): ExactDecimal | undefined {
  const value = resolvePointer(record, pointer);
  const text = value instanceof JsonNumber ? value.lexeme : value;
  return typeof text === "string" ? parseDecimal(text, "lax") : undefined;
}
