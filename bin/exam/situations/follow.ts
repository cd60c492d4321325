/** Situations in which the orders of the client are followed through the stream. Another session of it places them. */
import type { Others, Situation } from "../situation.ts";
import { first, resting, second } from "./orders.ts";

/** Orders that rest, are filled in parts and as a whole, and are cancelled. */
async function trade({ place, fill, cancel }: Others): Promise<void> {
  const one = await place(first);
  const other = await place(second);
  await fill(one, "0.1");
  await cancel(other);
  await place(resting("0.01", "29000.00"));
  await fill(one, "0.2");
}

/** Longer than until an order is synced, which is told, too. */
const syncedMs = 200;

const follow = { task: "follow", seconds: 5 } as const;

export const following: readonly Situation[] = [
  {
    ...follow,
    id: "follow-undisturbed",
    title: "Orders rest, are filled in parts and as a whole, and are cancelled",
    meanwhile: async (others) => {
      await others.listening();
      await trade(others);
    },
  },
  {
    ...follow,
    id: "follow-gap",
    title: "All messages about a fill and a cancel are lost, and their numbers are missing",
    meanwhile: async (others) => {
      await others.listening();
      const taken = await others.place(first);
      const lost = await others.place(resting("0.01", "29000.00"));
      await others.trouble({ id: "loss", fault: { kind: "streamDrop" } });
      await others.fill(taken, "0.1");
      await others.cancel(lost);
      await others.pause(syncedMs);
      await others.trouble();
      await others.place(second);
    },
  },
  {
    ...follow,
    id: "follow-duplicates",
    title: "Messages come twice, and in another order",
    meanwhile: async (others) => {
      await others.listening();
      await others.trouble(
        { id: "echo", percent: 50, fault: { kind: "streamDuplicate" } },
        { id: "shuffle", count: 3, fault: { kind: "streamReorder" } },
      );
      await trade(others);
      await others.trouble();
      await others.place(resting("0.02", "28000.00"));
    },
  },
  {
    ...follow,
    id: "follow-cut",
    title: "The connection is cut, and an order ends while the client does not listen",
    meanwhile: async (others) => {
      await others.listening();
      const lost = await others.place(first);
      await others.trouble({ id: "cut", count: 1, fault: { kind: "streamClose" } });
      await others.cancel(lost);
      await others.place(second);
    },
  },
  {
    ...follow,
    id: "follow-cut-short-lived",
    title: "The connection is cut, and an order is placed and filled before the client can connect again",
    // Otherwise the client would be told of the order once more, when it is synced.
    settings: { syncDelayMs: 0 },
    meanwhile: async (others) => {
      await others.listening();
      await others.place(first);
      await others.away(async () => others.fill(await others.place(second)));
    },
  },
  {
    ...follow,
    seconds: 6,
    id: "follow-cut-in-snapshot",
    title: "The connection is cut in the middle of the first snapshot, which has 60 orders",
    cutsStreamAfter: 20_000,
    before: async ({ place }) => {
      for (let n = 0; n < 60; n += 1) await place(resting("0.01", `${20_000 + n}.00`));
    },
    meanwhile: async (others) => {
      await others.listening();
      await trade(others);
    },
  },
  {
    ...follow,
    id: "follow-unknown-messages",
    title: "Messages have unknown members, and there are unknown types of them",
    variants: ["V-50"],
    meanwhile: async (others) => {
      await others.listening();
      await trade(others);
    },
  },
  {
    ...follow,
    seconds: 8,
    restarts: true,
    id: "follow-restart",
    title:
      "The venue shuts down with a notice and is there again a moment later, and an order ends meanwhile",
    meanwhile: async (others) => {
      await others.listening();
      const lost = await others.place(first);
      await others.place(second);
      await others.restart();
      await others.cancel(lost);
    },
  },
];
