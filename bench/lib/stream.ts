/** A stream of commands on one book: 60 % passive adds, 25 % cancels, 15 % aggressive, crowding towards the touch. */
import { Random } from "../../simulator/engine/testing/random.ts";

export type StreamCommand =
  | {
      readonly kind: "add";
      readonly id: number;
      readonly side: "BUY" | "SELL";
      readonly price: number;
      readonly quantity: number;
    }
  | { readonly kind: "cancel"; readonly id: number };

export interface Stream {
  /** Orders that are in the book before the clock starts. */
  readonly seed: readonly StreamCommand[];
  readonly commands: readonly StreamCommand[];
}

const middle = 1_000_000;

export function makeStream(levels: number, length: number, seedNumber: number): Stream {
  const random = new Random(seedNumber);
  const seed: StreamCommand[] = [];
  let id = 0;
  for (let level = 1; level <= levels; level++) {
    for (let twice = 0; twice < 2; twice++) {
      seed.push({ kind: "add", id: ++id, side: "BUY", price: middle - level, quantity: 10 });
      seed.push({ kind: "add", id: ++id, side: "SELL", price: middle + level, quantity: 10 });
    }
  }
  const alive: number[] = seed.map((command) => command.id);
  const commands: StreamCommand[] = [];
  while (commands.length < length) {
    const dice = random.next();
    if (dice < 0.25 && alive.length > 0) {
      const at = Math.floor(random.next() * alive.length);
      const victim = alive[at] ?? 0;
      alive[at] = alive.at(-1) ?? 0;
      alive.pop();
      commands.push({ kind: "cancel", id: victim });
      continue;
    }
    const side = random.next() < 0.5 ? "BUY" : "SELL";
    const distance = 1 + Math.floor(random.next() ** 3 * levels);
    const passive = dice < 0.85;
    const away = passive ? -distance : Math.min(3, levels);
    const price = side === "BUY" ? middle + away : middle - away;
    commands.push({ kind: "add", id: ++id, side, price, quantity: 1 + Math.floor(random.next() * 15) });
    alive.push(id);
  }
  return { seed, commands };
}
