/**
 * Clients with one mistake each, made from those of docs/clients by exchanging a few words. Their author knew the
 * rules: they show that each rule can convict, and not how much the exam finds.
 */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "./compile-client.ts";

export interface Planted {
  readonly mistake: string;
  /** The situation in which it shows, and every rule that it then breaks. */
  readonly situation: string;
  readonly breaks: readonly string[];
  /** Rules that it breaks or not, as the load of the machine will have it. */
  readonly perhaps?: readonly string[];
  /** The file with the mistake, below docs/clients. */
  readonly file: string;
  readonly program: "careful.py" | "stream/follow.py";
  /** The right code, and the code that replaces it. */
  readonly edits: readonly (readonly [right: string, wrong: string])[];
}

const careful = { file: "careful.py", program: "careful.py" } as const;
const follow = { file: "stream/stream.py", program: "stream/follow.py" } as const;
const settling = "ended = [settled(order_id, passing) for order_id in ids]";
const passing = 'passing = ("PENDING", "OPEN") if task["task"] == "cancel" else ("PENDING",)';

export const plantedMistakes: readonly Planted[] = [
  {
    ...careful,
    mistake: "a new client_order_id for each try",
    situation: "place-answer-lost",
    breaks: ["EX-01", "EX-03", "EX-08"],
    edits: [
      [
        "status, headers, data = send(method, route, payload)",
        'payload = body and json.dumps({**body, "client_order_id": str(uuid.uuid4())}).encode() or b""\n            status, headers, data = send(method, route, payload)',
      ],
    ],
  },
  {
    ...careful,
    mistake: "an order without an answer counts as not placed",
    situation: "place-answer-lost",
    breaks: ["EX-08"],
    edits: [["pass  # no answer, or a part of one: it may have been done", "return {}"]],
  },
  {
    ...careful,
    mistake: "an order without an answer is not sent again",
    situation: "place-request-lost",
    breaks: ["EX-02"],
    edits: [["pass  # no answer, or a part of one: it may have been done", "return {}"]],
  },
  {
    ...careful,
    mistake: "a nonce that is made of the request",
    situation: "place-outcome-unknown",
    breaks: ["EX-04", "EX-08"],
    edits: [
      [
        "nonce = str(int((time.time() + ahead) * 1000)), str(uuid.uuid4())",
        "nonce = str(int((time.time() + ahead) * 1000)), str(uuid.uuid5(uuid.NAMESPACE_URL, str(payload)))",
      ],
    ],
  },
  {
    ...careful,
    mistake: "Retry-After is not read",
    situation: "place-rate-limited",
    breaks: ["EX-05"],
    edits: [['pause = max(pause, float(headers.get("Retry-After", 0)) + 0.05)', "pass"]],
  },
  {
    ...careful,
    mistake: "no pause between tries",
    situation: "place-down",
    breaks: ["EX-06"],
    perhaps: ["EX-07"],
    edits: [
      ["        time.sleep(pause)\n", ""],
      ["range(10)", "range(100000)"],
    ],
  },
  {
    ...careful,
    mistake: "pauses that become shorter",
    situation: "place-failing",
    breaks: ["EX-07"],
    edits: [["pause = min(0.1 * 2**tries, 5) * random.uniform(0.75, 1)", "pause = 2.2 - tries * 0.4"]],
  },
  {
    ...careful,
    mistake: "the answer to a placement is the last word",
    situation: "place-filled-before-answer",
    breaks: ["EX-08"],
    edits: [
      ['ids.append(order["id"])', "ids.append(order)"],
      [settling, "ended = ids"],
    ],
  },
  {
    ...careful,
    mistake: "the secret is logged",
    situation: "place-undisturbed",
    breaks: ["EX-10"],
    edits: [
      [
        "    try:\n        connection.request",
        "    print(KEY, SECRET, file=sys.stderr)\n    try:\n        connection.request",
      ],
    ],
  },
  {
    ...careful,
    mistake: "amounts are multiplied as floating point",
    situation: "place-undisturbed",
    breaks: ["EX-02", "EX-11"],
    edits: [
      [
        'for wanted in task["orders"]:\n',
        'for wanted in task["orders"]:\n    wanted["base_quantity"] = repr(float(wanted["base_quantity"]) / 3 + float(wanted["base_quantity"]) * 2 / 3 + 4e-17)\n',
      ],
    ],
  },
  {
    ...careful,
    mistake: "filled quantities are summed as floating point",
    situation: "place-decimals",
    breaks: ["EX-11"],
    edits: [
      [
        'print(json.dumps({"orders": said + refused}))',
        'for one in said:\n    one["filledQuantity"] = str(0.1 + 0.2)\nprint(json.dumps({"orders": said + refused}))',
      ],
    ],
  },
  {
    ...careful,
    mistake: "a cancel that was refused counts as done",
    situation: "cancel-loses-to-fill",
    breaks: ["EX-08"],
    edits: [
      [
        settling,
        `${settling.replace("settled(order_id, passing)", '{**settled(order_id, passing), "status": "CANCELLED"}')}`,
      ],
    ],
  },
  {
    ...careful,
    mistake: "a cancel that was lost counts as done",
    situation: "cancel-request-lost",
    breaks: ["EX-12"],
    edits: [
      [
        "    for order_id in ids:\n        settled(order_id)",
        "    for order_id in ids[:1]:\n        settled(order_id)",
      ],
      [passing, 'passing = ("PENDING",)'],
    ],
  },
  {
    ...careful,
    mistake: "a cancel that was accepted counts as done",
    situation: "cancel-late",
    breaks: ["EX-12"],
    edits: [[passing, 'passing = ("PENDING",)']],
  },
  {
    ...careful,
    mistake: "a new order is not read again while it is PENDING",
    situation: "place-accepted-failed",
    breaks: ["EX-08"],
    edits: [[passing, "passing = ()"]],
  },
  {
    ...careful,
    mistake: "a client gives up at the first 503",
    situation: "place-unavailable",
    breaks: ["EX-13"],
    edits: [["range(10)", "range(1)"]],
  },
  {
    ...careful,
    mistake: "a refused clock is tried again and again",
    situation: "place-clock-skew",
    breaks: ["EX-02", "EX-15"],
    edits: [
      ["refused < 2", "refused < 7"],
      ['ahead = parsedate_to_datetime(headers["Date"]).timestamp() - time.time()', "pass"],
    ],
  },
  {
    ...follow,
    mistake: "a gap in the numbers goes unseen",
    situation: "follow-gap",
    breaks: ["EX-08"],
    edits: [['self._ask_again("a message is missing", "orders", "orderBook")', "pass"]],
  },
  {
    ...follow,
    mistake: "orders that ended while nobody listened are not read",
    situation: "follow-cut",
    breaks: ["EX-08"],
    edits: [["for ended in self.orders.snapshot(listed):", "for ended in []:"]],
  },
  {
    ...follow,
    mistake: "orders that came and ended while nobody listened are not looked for",
    situation: "follow-cut-short-lived",
    breaks: ["EX-08"],
    edits: [["self.orders.listed(order)", "pass"]],
  },
  {
    ...follow,
    mistake: "messages of the book that were lost go unseen",
    situation: "book-gap",
    breaks: ["EX-09"],
    edits: [
      ['self._ask_again("a message is missing", "orders", "orderBook")', "pass"],
      ['self._ask_again("the book has a gap", "orderBook")', "pass"],
    ],
  },
];

/** The command that runs the client. */
export function plantedClient({ file, program, edits }: Planted): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-planted-"));
  cpSync(path.join(root, "docs/clients"), folder, {
    recursive: true,
    filter: (name) => !/node_modules|__pycache__/.test(name),
  });
  let text = readFileSync(path.join(folder, file), "utf8");
  for (const [right, wrong] of edits) {
    if (!text.includes(right)) throw new Error(`${file} has no ${right}`);
    text = text.replace(right, () => wrong);
  }
  writeFileSync(path.join(folder, file), text);
  return `python3 ${path.join(folder, program)}`;
}
