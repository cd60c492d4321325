/** One restart in its own process, like every restart: prints its duration and the recovered state. */
import { stateHash } from "../../simulator/engine/snapshot.ts";
import { recover } from "../../simulator/sequencer/recover.ts";
import { bytesHeld } from "../lib/held.ts";
import { loadWorld, openLoadJournal } from "../lib/load-venue.ts";

const [, , file = "", from = "snapshot"] = process.argv;
const world = await loadWorld();
const journal = openLoadJournal(file, world);
if (from === "journal") journal.latestSnapshot = () => null;
const before = bytesHeld();
const start = process.hrtime.bigint();
const { state, replayed } = recover(journal, world);
const ms = Number(process.hrtime.bigint() - start) / 1e6;
const bytes = bytesHeld() - before;
console.log(JSON.stringify({ ms, replayed, bytes, state: stateHash(state) }));
journal.close();
