// tidy-allow-file whitespace: the messages that are compared end their source lines as they stand
import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "./testing/small-world.ts";

describe("A world file that is not plain YAML", () => {
  it("points at broken YAML", async () => {
    expect(
      await problemsIn(changed("claims: [read:orders, write:orders]", "claims: [read:orders, write:orders")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:24:1: this is not YAML: flow sequence in block collection must be sufficiently indented and end with a ]
        24 | 
           | ^
        close the { or [ that is open before this place, or indent this line further
      "
    `);
  });

  it("points at a tab", async () => {
    expect(await problemsIn(changed("    feeModel", "\tfeeModel"))).toMatchInlineSnapshot(`
      "
      world.yaml:13:1: this is not YAML: tabs are not allowed as indentation
        13 |  feeModel: ALL_IN
           | ^
        indent with blanks
      "
    `);
  });

  it("refuses a key that is given twice", async () => {
    expect(
      await problemsIn(changed('    takerRate: "0.002"', '    takerRate: "0.002"\n    makerRate: "0.003"')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:16:5: clients[0].makerRate is given twice
        16 |     makerRate: "0.003"
           |     ^^^^^^^^^
        remove one of the two
      "
    `);
  });

  it("refuses aliases", async () => {
    expect(await problemsIn(changed('USD: "1000"', "USD: *all"))).toMatchInlineSnapshot(`
      "
      world.yaml:17:12: aliases (*name) are not read in a world file
        17 |       USD: *all
           |            ^^^^
        write the value out again
      "
    `);
  });

  it("refuses an alias that leads somewhere", async () => {
    expect(
      await problemsIn(changed('"0.001"\n    takerRate: "0.002"', '&rate "0.001"\n    takerRate: *rate')),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:15:16: aliases (*name) are not read in a world file
        15 |     takerRate: *rate
           |                ^^^^^
        write the value out again
      "
    `);
  });

  it("refuses a second document", async () => {
    expect(await problemsIn(changed("keys:", "---\nkeys:"))).toMatchInlineSnapshot(`
      "
      world.yaml:20:1: a second document begins here
        20 | ---
           | ^
        a file holds one world
      "
    `);
  });

  it("refuses unknown tags", async () => {
    expect(await problemsIn(changed("name: alice", "name: !!python/name alice"))).toMatchInlineSnapshot(`
      "
      world.yaml:12:11: this is not YAML: unresolved tag: tag:yaml.org,2002:python/name
        12 |   - name: !!python/name alice
           |           ^
      "
    `);
  });

  it("refuses deep brackets", async () => {
    expect(
      await problemsIn(changed("claims: [read:orders", "claims: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[")),
    ).toMatchInlineSnapshot(`
      "
      world.yaml:23:45: brackets are nested more than 32 deep
        23 |     claims: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[, write:orders]
           |                                             ^
        a world file needs six levels at most
      "
    `);
  });

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

  it("refuses keys that are not names", async () => {
    expect(await problemsIn(changed("name: alice", "[name]: alice"))).toMatchInlineSnapshot(`
      "
      world.yaml:12:5: a key must be a plain name
        12 |   - [name]: alice
           |     ^^^^^^

      world.yaml:12:5: clients[0].name is required
        12 |   - [name]: alice
           |     ^^^^^^^^^^^^^

      world.yaml:22:13: keys[0].client refers to client "alice", which does not exist
        22 |     client: alice
           |             ^^^^^
        the world has no clients
      "
    `);
  });
});
