/** Follows the book or the orders of a key for some seconds, and says what it has: the tasks of docs/exam.md. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Gateway } from "./gateway.ts";
import { Stream } from "./stream.ts";

interface Task {
  task: "follow" | "book";
  product?: string;
  seconds: number;
}

const { GATEWRIGHT_BASE_URL: baseUrl = "", GATEWRIGHT_KEY_ID: keyId = "" } = process.env;
const { GATEWRIGHT_SECRET: secret = "", GATEWRIGHT_TASK: file = "" } = process.env;
const { task, product = "BTC-USD", seconds } = JSON.parse(readFileSync(file, "utf8")) as Task;
const stream = new Stream(new Gateway(baseUrl, keyId, secret), product);
stream.on("note", (sentence: string) => console.error(sentence));

void stream.connect();
await sleep(seconds * 1000);
await stream.until(() => stream.knowsAll()).catch(() => process.exit(3)); // in the middle of a recovery
const orders = stream.orders
  .all()
  .map(({ clientOrderId, status, filledQuantity }) => ({ clientOrderId, status, filledQuantity }));
const book = { bookSequence: stream.book.sequence, ...stream.book.levels() };
console.log(JSON.stringify(task === "book" ? { book } : { orders }));
stream.disconnect();
