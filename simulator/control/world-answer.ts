/** A world as the control surface shows it: its journal in a few numbers, and its keys. */
import { allClaims } from "../domain/account.ts";
import { didYouMean } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Refusal } from "../http/errors.ts";
import { count, list, nullable, oneOfText, record, text } from "../wire/schema.ts";
import { type ControlledWorld, type Controls, notFound } from "./control-route.ts";

export const worldMembers = {
  name: text("Name of the world."),
  seed: count("Seed of its ids and its synthetic market."),
  seq: count("Entries of its journal."),
  hash: text("Chain hash of its journal."),
  epoch: count("Resets so far."),
};

export const keyMembers = {
  name: text("Name of the key."),
  keyId: text("What `X-API-KEY` holds; unique in the process, and what chooses the world."),
  secret: text("The secret that signs."),
  client: nullable(text("Name of the client; null for a key without one.")),
  claims: list(oneOfText("A claim.", allClaims)),
};
const keyMember = list(record("An API key.", keyMembers), "The keys of the world.");

export const exampleWorld = { name: "ci", seed: 1, seq: 0, hash: "", epoch: 0 };
export const exampleKey = {
  name: "trader",
  keyId: "gw_demo_trader_ci",
  secret: "sandbox-only-secret-of-gw_demo_trader",
  client: "alice",
  claims: [...allClaims],
};
export const worldAnswer = {
  schema: record("A world.", { ...worldMembers, keys: keyMember }),
  example: { ...exampleWorld, keys: [exampleKey] },
};

export const summaryOf = ({ name: called, venue }: ControlledWorld) => ({
  name: called,
  seed: venue.world.seed,
  seq: venue.state.seq,
  hash: venue.hash,
  epoch: venue.epoch,
});
export const viewOf = (world: ControlledWorld) => ({ ...summaryOf(world), keys: world.keys });

/** The world of this name, or what there is instead. */
export function worldOf(worlds: Controls["worlds"], called: string): Result<ControlledWorld, Refusal> {
  const world = worlds.get(called);
  if (world !== undefined) return ok(world);
  const names = worlds.all().map((one) => one.name);
  const some =
    names.length > 20 ? `there are ${names.length}; GET /worlds lists them` : `there are ${names.join(", ")}`;
  return err(notFound("world", called, didYouMean(called, names) ?? some).error);
}
