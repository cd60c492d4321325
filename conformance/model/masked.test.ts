import { expect, it } from "vitest";
import { idsShown, masked } from "./masked.ts";

const ids = new Set([
  "O-w54oceur7xq",
  "ORD-000123",
  "01J9ZK3V5Q",
  "№ 2/17?ä#%",
  "17",
  "100234",
  "3b241101-e2bb-4255-8caf-4136c566a962",
  "deadbeef00112233deadbeef",
]);

it.each([
  ['0 × {"id":"O-w54oceur7xq"}', '0 × {"id":"<id>"}'],
  ['{"id":"O-w54oce…', '{"id":"<id>…'],
  [
    "ORD-000123, as the order of this client_order_id had before",
    "<id>, as the order of this client_order_id had before",
  ],
  ["after 01J9ZK3V5Q.", "after <id>."],
  ['"№ 2/17?ä#%" was cancelled', '"<id>" was cancelled'],
  ['{"id":"17","baseQuantity":"17"}', '{"id":"<id>","baseQuantity":"17"}'],
  ["expected 17, was 18", "expected 17, was 18"],
  ["no order 100234", "no order <id>"],
  // These had a mask before, and keep it: files that were written with it still fit.
  ["3b241101-e2bb-4255-8caf-4136c566a962 and deadbeef00112233deadbeef", "<id> and <hex>"],
  ["another-w54oceur7xq", "another-w54oceur7xq"],
])("masks what the run knows as an id, whatever it looks like: %s", (text, expected) => {
  expect(masked(text, ids)).toBe(expected);
});

it("leaves what no run knows, and says which ids were there", () => {
  expect(masked('{"id":"O-w54oceur7xq"}', new Set())).toBe('{"id":"O-w54oceur7xq"}');
  expect(idsShown(["O-w54oceur7xq, OPEN", "№ 2/17?ä#%"], ids)).toEqual(["O-w54oceur7xq", "№ 2/17?ä#%"]);
});
