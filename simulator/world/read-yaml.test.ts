import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "./testing/small-world.ts";

describe("The lines shown with a mistake in a world file", () => {
  it("hides characters that control a terminal, and keeps the caret in place", async () => {
    const hostile = changed("name: alice", '{ name: "\u202e\u009b31m😀", z\u200bz: 1 }\n  - name: alice');
    expect(await problemsIn(hostile)).toMatchInlineSnapshot(`
      "
      world.yaml:12:5: clients[0].feeModel is required
        12 |   - { name: "  31m😀", z z: 1 }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^

      world.yaml:12:5: clients[0].makerRate is required
        12 |   - { name: "  31m😀", z z: 1 }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^

      world.yaml:12:5: clients[0].takerRate is required
        12 |   - { name: "  31m😀", z z: 1 }
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^

      world.yaml:12:13: clients[0].name must be lower-case letters, digits and hyphens, at most 40, such as alice-2, was "  31m😀"
        12 |   - { name: "  31m😀", z z: 1 }
           |             ^^^^^^^^^

      world.yaml:12:24: clients[0].z z is unknown
        12 |   - { name: "  31m😀", z z: 1 }
           |                       ^^^
        known here: name, feeModel, makerRate, takerRate, exchangeMakerRate, exchangeTakerRate, balances, rules
      "
    `);
  });

  it("cuts a long line around the fault", async () => {
    const long = changed('{ maxOrderSize: "10" }', `{ maxOrderSize: "10", ${" ".repeat(150)} wrong: 1 }`);
    expect(await problemsIn(long)).toMatchInlineSnapshot(`
      "
      world.yaml:19:189: clients[0].rules.BTC-USD.wrong is unknown
        19 | …                                                      wrong: 1 }
           |                                                        ^^^^^
        known here: enabled, minOrderSize, maxOrderSize, minQuoteValue, maxQuoteValue
      "
    `);
  });
});
