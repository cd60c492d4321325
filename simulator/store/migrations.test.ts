import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { tables } from "./migrations/0001-tables.ts";
import { views } from "./migrations/0002-views.ts";
import { binarySnapshots } from "./migrations/0003-binary-snapshots.ts";
import { orderIds } from "./migrations/0004-order-ids.ts";

const digestOf = (sql: string): string => createHash("sha256").update(sql).digest("hex").slice(0, 16);

it("a migration keeps its text: a database that was made with another one is refused as changed", () => {
  expect([tables, views, binarySnapshots, orderIds].map(digestOf)).toEqual([
    "3e732b6e0fed3acf",
    "861e6d5f11bc76b5",
    "474ed039dadb26fc",
    "e2c17957da61ddfa",
  ]);
});
