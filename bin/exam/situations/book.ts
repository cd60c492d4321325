/** Situations in which the book of a product is followed through the stream. */
import type { FaultRule, Others, Situation } from "../situation.ts";
import { product, resting } from "./orders.ts";

/** Levels come, change and go. */
async function stir({ place, cancel, fill }: Others, from: number, levels = 6): Promise<void> {
  for (let n = 0; n < levels; n += 1) {
    const one = await place(resting("0.02", `${from + n}.50`));
    await place(resting("0.05", `${from + n}.50`));
    if (n % 2 === 0) await cancel(one);
    else await fill(one);
  }
}

const stirring = async (others: Others): Promise<void> => {
  await others.listening();
  await stir(others, 59_000);
};

const onBook = (id: string, more: Omit<FaultRule, "id">): FaultRule => ({ id, product, ...more });

const book = { task: "book", seconds: 5, meanwhile: stirring } as const;

export const keepingBooks: readonly Situation[] = [
  { ...book, id: "book-undisturbed", title: "Levels come, change and go" },
  {
    ...book,
    id: "book-gap",
    title: "The message about a new level is lost, and its number is missing",
    meanwhile: async (others) => {
      await others.listening();
      await others.trouble({ id: "loss", fault: { kind: "streamDrop" } });
      await others.place(resting("0.03", "59500.00"));
      await others.trouble();
      await stir(others, 59_000);
    },
  },
  {
    ...book,
    id: "book-duplicates",
    title: "Messages come twice, and in another order",
    meanwhile: async (others) => {
      await others.listening();
      // A client that drops the late message misses a level.
      await others.trouble(onBook("shuffle", { count: 1, fault: { kind: "streamReorder" } }));
      await others.place(resting("0.03", "59500.00"));
      await others.place(resting("0.04", "59600.00"));
      // A client that takes it for the newest has an old level.
      await others.trouble(onBook("mix", { count: 1, fault: { kind: "streamReorder" } }));
      await others.place(resting("0.02", "59700.00"));
      await others.place(resting("0.05", "59700.00"));
      await others.trouble(onBook("echo", { fault: { kind: "streamDuplicate" } }));
      await stir(others, 59_000, 3);
      await others.trouble();
    },
  },
  {
    ...book,
    seconds: 9,
    id: "book-stall",
    title: "The connection stays open, and nothing comes any more",
    faults: [onBook("stall", { nth: 4, fault: { kind: "streamStall", ms: 120_000 } })],
  },
  {
    ...book,
    id: "book-cut-in-snapshot",
    title: "The connection is cut in the middle of the first snapshot",
    cutsStreamAfter: 900,
    meanwhile: async (others) => {
      await others.listening();
      await stir(others, 59_000);
    },
  },
  {
    ...book,
    id: "book-unknown-messages",
    title: "Messages have unknown members, and there are unknown types of them",
    variants: ["V-50"],
  },
  {
    ...book,
    seconds: 8,
    restarts: true,
    id: "book-restart",
    title: "The venue shuts down with a notice, and is there again a moment later",
    meanwhile: async (others) => {
      await stirring(others);
      await others.restart();
      await stir(others, 58_000);
    },
  },
];
