/** Mistakes in world files: where each is found, and the facts that its sentences name. */
import { describe, expect, it } from "vitest";
import { changed, problemsIn } from "../testing/small-world.ts";

/**
 * A row is "name :: piece => replacement" in the small world, or "name :: the whole world"; below it is each problem, as
 * "line:column: path | fact | fact". A sound world has none.
 */
const mistakes = String.raw`
# text that is not plain YAML
points at broken YAML :: claims: [read:orders, write:orders] => claims: [read:orders, write:orders
  24:1: this | not YAML | close the { or [
points at a tab ::     feeModel => \tfeeModel
  13:1: this | not YAML: tabs | indent with blanks
refuses a key that is given twice ::     takerRate: "0.002" =>     takerRate: "0.002"\n    makerRate: "0.003"
  16:5: clients[0].makerRate | given twice | remove one of the two
refuses aliases :: USD: "1000" => USD: *all
  17:12: aliases | *name | write the value out again
refuses an alias that leads somewhere
  :: "0.001"\n    takerRate: "0.002" => &rate "0.001"\n    takerRate: *rate
  15:16: aliases | *name | write the value out again
refuses a second document :: keys: => ---\nkeys:
  20:1: a | second document | one world
refuses unknown tags :: name: alice => name: !!python/name alice
  12:11: this | unresolved tag | python/name
refuses deep brackets :: claims: [read:orders => claims: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[
  23:45: brackets | more than 32 deep | six levels
refuses keys that are not names :: name: alice => [name]: alice
  12:5: a | plain name
  12:5: clients[0].name | is required
  22:13: keys[0].client | does not exist | no clients

# a value of the wrong shape
accepts the small world :: keys: => keys:
names the nearest property for an unknown key ::     feeModel: ALL_IN =>     feeModle: ALL_IN
  13:5: clients[0].feeModle | is unknown | did you mean "feeModel"?
refuses half of a character :: Bitcoin => "Bit\uD800coin"
  3:26: assets[1].name | half of a surrogate
lists the properties when none is near ::     client: alice\n =>     client: alice\n    zzzzzzzz: 1\n
  23:5: keys[0].zzzzzzzz | is unknown | known here: name, keyId
names the nearest section :: products: => prodcuts:
  4:1: prodcuts | is unknown | did you mean "products"?
asks for quotes around a decimal :: "0.01" => 0.01
  7:21: products[0].priceIncrement | decimal in quotes | 0.01 | write "0.01": a number would lose digits
keeps the spelling of an unquoted decimal :: USD: "1000" => USD: 1000.50
  17:12: clients[0].balances.USD | decimal in quotes | 1000.50 | write "1000.50": a number
refuses a decimal with an exponent :: "0.0001" => "1e-4"
  6:20: products[0].baseIncrement | decimal in quotes | "1e-4"
refuses a negative decimal :: "1000" => "-1000"
  17:12: clients[0].balances.USD | decimal in quotes | "-1000"
names the expected type :: precision: 2 => precision: two
  2:48: assets[0].precision | whole number from 0 to 18 digits | "two"
counts a span of time in milliseconds :: keys: => settings: { limits: { requestTimeoutMs: 30s } }\nkeys:
  20:41: settings.limits.requestTimeoutMs | whole number from 100 to 600000 ms | "30s" | write 30000
says if a number may be absent :: keys: => settings: { slippageCollarBps: 0 }\nkeys:
  20:32: settings.slippageCollarBps | null or a whole number from 1 to 10000 basis points
names the members of each entry of a list :: extends: demo\nassets: { USD: { precision: 2 } }\n
  2:9: assets | a list | each entry has symbol,
does not miss sections where extends is misspelled :: extends: dmeo\n
  1:10: extends | extends must be demo | "dmeo"
looks at the rest of a rule that has a mistake :: maxOrderSize: "10" => maxOrderSize: "10.00001", enabled: no
  19:32: clients[0].rules.BTC-USD.maxOrderSize | whole multiple of baseIncrement | 10.00001 | the nearest are 10 and 10.0001
  19:53: clients[0].rules.BTC-USD.enabled | true or false | "no" | write false
asks for a number without quotes :: precision: 2 => precision: "2"
  2:48: assets[0].precision | whole number from 0 to 18 digits | "2" | write 2 without quotes
translates yes and no ::     referencePrice =>     apiEnabled: yes\n    referencePrice
  10:17: products[0].apiEnabled | true or false | "yes" | write true
states the bounds of a number :: precision: 2 => precision: 19
  2:48: assets[0].precision | whole number from 0 to 18 digits | 19
states the unit of a bounded number :: keys: => settings: { matchDelayMs: -1 }\nkeys:
  20:27: settings.matchDelayMs | whole number from 0 to 86400000 ms | -1
names the nearest choice :: ALL_IN => ALLIN
  13:15: clients[0].feeModel | one of ALL_IN, COST_PLUS | "ALLIN" | did you mean "ALL_IN"?
names the nearest claim :: write:orders => write:order
  23:27: keys[0].claims[1] | one of read:orders, write:orders | "write:order" | did you mean "write:orders"?
refuses the same claim twice :: write:orders => read:orders
  23:13: keys[0].claims | same item twice | remove one of the two
explains the spelling of a product id :: id: BTC-USD => id: BTCUSD
  5:9: products[0].id | BASE-QUOTE | "BTCUSD"
asks for a missing property ::     referencePrice: "60000"\n =>
  5:5: products[0].referencePrice | is required
refuses an empty section :: keys: => settings:\nkeys:
  20:10: settings | section with properties | known here: matchDelayMs, syncDelayMs,
refuses an empty list of products :: extends: demo\nproducts: []\n
  2:11: products | at least one
refuses an empty file :: # nothing yet\n
  1:1: the | section with properties | known here: extends, seed,
refuses a time without a zone :: keys: => clock: { start: "2026-01-01" }\nkeys:
  20:17: clock.start | time in UTC | "2026-01-01"
asks for a missing section
  :: keys:\n  - name: trader\n    client: alice\n    claims: [read:orders, write:orders]\n =>
  1:1: the | has no section keys | extends: demo

# a product whose numbers do not fit together
refuses an increment of zero :: "0.0001" => "0"
  6:20: products[0].baseIncrement | greater than zero
refuses a size that is not whole lots :: "0.001" => "0.00015"
  8:22: products[0].exchangeMinSize | whole multiple of baseIncrement | 0.00015 | the nearest are 0.0001 and 0.0002
refuses a smallest size above the largest :: exchangeMinSize: "0.001" => exchangeMinSize: "101"
  8:22: products[0].exchangeMinSize 101 | is above exchangeMaxSize 100 | no order could satisfy both
refuses order sizes outside the exchange's
  ::     referencePrice =>     minOrderSize: "200"\n    referencePrice
  10:19: products[0].minOrderSize 200 | is above exchangeMaxSize 100 | no order could satisfy both
refuses a size that the venue cannot count :: exchangeMaxSize: "100" => exchangeMaxSize: "900719925474.0992"
  9:22: products[0].exchangeMaxSize | 9007199254740992 lots | counts to 9007199254740991 | use at most 900719925474.0991,
refuses a price that is not on a tick :: "60000" => "60000.005"
  10:21: products[0].referencePrice | whole multiple of priceIncrement | 60000.005 | the nearest are 60000 and 60000.01
refuses a price of zero :: "60000" => "0"
  10:21: products[0].referencePrice | greater than zero
refuses a price that the venue cannot count :: "60000" => "90071992547409.92"
  10:21: products[0].referencePrice | 9007199254740992 ticks | counts to 9007199254740991 | use at most 90071992547409.91,
refuses a price without room above it :: "60000" => "90071992547409.91"
  10:21: products[0].referencePrice | no room | 9007199254740991 ticks
refuses a price of too few ticks for a synthetic market :: "60000" => "0.02"
  10:21: products[0].referencePrice | only 2 ticks | spacingTicks 1 | mode: empty
refuses increments with more digits than the ledger carries :: "0.01" => "0.000000000000001"
  7:21: products[0].priceIncrement | together need 19 digits of USD | at most 18
  10:21: products[0].referencePrice | 60000000000000000000 ticks | use at most 9.007199254740991,
  17:12: clients[0].balances.USD | all balances in USD | 0.9223372036854775807 | that is what the ledger counts to
refuses values with more digits than the ledger carries
  ::     referencePrice =>     exchangeQuoteMinSize: "0.000000001"\n    referencePrice
  10:27: products[0].exchangeQuoteMinSize | more digits than the 8 | USD
refuses a liquidity quantity that is not whole lots
  :: clients: =>     liquidity: { mode: pinned, quantity: "0.00005" }\nclients:
  11:42: products[0].liquidity.quantity | whole multiple of baseIncrement | 0.00005 | the smallest is 0.0001
refuses exchange sizes above the gateway's
  :: exchangeMinSize: "0.001" => maxOrderSize: "1"\n    exchangeMinSize: "2"
  9:22: products[0].exchangeMinSize 2 | is above maxOrderSize 1 | no order could satisfy both

# accounts that do not fit together
refuses balances with more digits than the ledger carries :: USD: "1000" => USD: "0.000000001"
  17:12: clients[0].balances.USD | more digits than the 8 | USD
refuses balances that together pass 2^63 - 1 units :: USD: "1000" => USD: "92233720368.54775808"
  17:12: clients[0].balances.USD | all balances in USD | 92233720368.54775807 | that is what the ledger counts to
refuses a rate that must have been a percentage :: takerRate: "0.002" => takerRate: "25"
  15:16: clients[0].takerRate | fraction from -1 to 1 | 25 | write 0.25 % as "0.0025"
refuses a negative taker rate :: takerRate: "0.002" => takerRate: "-0.002"
  15:16: clients[0].takerRate | not be negative | -0.002 | only maker rates may be rebates
accepts a rebate :: makerRate: "0.001" => makerRate: "-0.001"
refuses rates with too many digits :: takerRate: "0.002" => takerRate: "0.00000000001"
  15:16: clients[0].takerRate | at most 10 digits | 0.00000000001
refuses exchange rates for ALL_IN ::     balances: =>     exchangeTakerRate: "0.001"\n    balances:
  16:24: clients[0].exchangeTakerRate | must be 0 | ALL_IN | the exchange fee on
refuses rules whose smallest size is above the largest
  :: { maxOrderSize: "10" } => { minOrderSize: "11", maxOrderSize: "10" }
  19:32: clients[0].rules.BTC-USD.minOrderSize 11 | is above maxOrderSize 10 | no order could satisfy both
refuses rules that are not whole lots :: { maxOrderSize: "10" } => { maxOrderSize: "10.00001" }
  19:32: clients[0].rules.BTC-USD.maxOrderSize | whole multiple of baseIncrement | 10.00001 | the nearest are 10 and 10.0001
refuses a nonce memory shorter than twice the window
  :: keys: => settings: { auth: { clockWindowMs: 60000, nonceRetentionMs: 100000 } }\nkeys:
  20:61: settings.auth.nonceRetentionMs | at least twice | 100000 | a nonce forgotten earlier
refuses a route that an order fault cannot have
  :: keys: => faults:\n  - { id: a, route: GET /order, fault: { kind: neverSync } }\nkeys:
  21:21: faults[0].route | must be "POST /order" | neverSync
refuses properties of the other outcome
  :: keys: => faults:\n  - { id: a, fault: { kind: externalFailure, outcome: certain, afterMs: 5 } }\nkeys:
  21:64: faults[0].fault.afterMs | "unknown" only
refuses a route that does not exist, and names the nearest
  :: keys: => faults:\n  - { id: a, route: "POST /orders", fault: { kind: dropConnectionAfter } }\nkeys:
  21:21: faults[0].route | a route of the gateway | "POST /orders" | did you mean "POST /order"?
refuses a route that does not exist, for any fault
  :: keys: => faults:\n  - { id: a, route: "GET /order/open/all", fault: { kind: delay, ms: 5 } }\nkeys:
  21:21: faults[0].route | a route of the gateway
accepts a route with its parameter
  :: keys: => faults:\n  - { id: a, route: "GET /order/{id}", fault: { kind: delay, ms: 5 } }\nkeys:

# a reference to nowhere, or a name given twice
names the nearest asset of a product :: id: BTC-USD => id: BTC-UST
  5:9: products[0].id | does not exist | "UST" | did you mean "USD"?
  19:7: clients[0].rules.BTC-USD | does not exist | "BTC-USD" | did you mean "BTC-UST"?
names the nearest product of a rule ::       BTC-USD: { =>       BTC-USDT: {
  19:7: clients[0].rules.BTC-USDT | does not exist | "BTC-USDT" | did you mean "BTC-USD"?
names the nearest asset of a balance :: USD: "1000" => USDC: "1000"
  17:7: clients[0].balances.USDC | does not exist | "USDC" | did you mean "USD"?
names the nearest client of a key :: client: alice => client: alise
  22:13: keys[0].client | does not exist | "alise" | did you mean "alice"?
lists the clients when none is near :: client: alice => client: zoe-the-second
  22:13: keys[0].client | does not exist | "zoe-the-second" | clients are alice
names the nearest product and key of a fault
  :: keys: => faults:\n  - { id: a, fault: { kind: delay, ms: 1 }, product: BTC-EUR, key: tradre }\nkeys:
  21:54: faults[0].product | does not exist | "BTC-EUR" | products are BTC-USD
  21:68: faults[0].key | does not exist | "tradre" | did you mean "trader"?
says when the missing name would come from the demo world :: extends: demo\nclients: []\n
  1:10: keys | do not fit this file | "alice" | keys, too
refuses a product that trades an asset for itself :: id: BTC-USD => id: BTC-BTC
  5:9: products[0].id | trades an asset for itself
  19:7: clients[0].rules.BTC-USD | does not exist | "BTC-USD" | products are BTC-BTC
refuses an asset that is given twice
  ::   - { symbol: BTC =>   - { symbol: USD, name: Dollar }\n  - { symbol: BTC
  3:15: assets[1].symbol | repeats "USD" | assets[0]
refuses a client that is given twice
  :: keys: =>   - { name: alice, feeModel: ALL_IN, makerRate: "0", takerRate: "0" }\nkeys:
  20:13: clients[1].name | repeats "alice" | clients[0]
refuses a key name that is given twice :: keys: => keys:\n  - { name: trader, client: alice, claims: [] }
  22:11: keys[1].name | repeats "trader" | keys[0]
refuses a key id that is given twice
  :: keys: => keys:\n  - { name: first, keyId: gw_trader, client: alice, claims: [] }
  22:5: keys[1].keyId | gw_trader | keys[0]
refuses a network that is given twice, and two defaults
  :: name: Bitcoin } => name: Bitcoin, networks: [{ id: a, name: A, isDefault: true }, { id: a, name: B, isDefault: true }] }
  3:89: assets[1].networks[1].id | repeats | "a"
  3:112: assets[1].networks[1].isDefault | false | a is the default already
refuses a fault id that is given twice
  :: keys: => faults:\n  - { id: a, fault: { kind: neverSync } }\n  - { id: a, fault: { kind: stuckPending } }\nkeys:
  22:11: faults[1].id | repeats "a" | faults[0]

# a wrong kind of market or fault
names the nearest liquidity mode :: clients: =>     liquidity: { mode: laddr }\nclients:
  11:24: products[0].liquidity.mode | one of pinned, ladder | "laddr" | did you mean "ladder"?
asks for the liquidity mode :: clients: =>     liquidity: { levels: 3 }\nclients:
  11:5: products[0].liquidity.mode | is required
knows which properties a liquidity mode has :: clients: =>     liquidity: { mode: empty, levels: 3 }\nclients:
  11:31: products[0].liquidity.levels | is unknown | known here: mode
names the nearest kind of fault :: keys: => faults:\n  - { id: slow, fault: { kind: dealy, ms: 5 } }\nkeys:
  21:5: faults[0] | needs a fault
  21:32: faults[0].fault.kind | one of externalFailure, internalFailure | "dealy" | did you mean "delay"?
knows the needs of a kind of fault :: keys: => faults:\n  - { id: slow, fault: { kind: delay } }\nkeys:
  21:5: faults[0] | needs a fault
  21:17: faults[0].fault.ms | is required
`;

interface Row {
  readonly name: string;
  readonly world: string;
  readonly problems: readonly string[];
}

const unescaped = (text: string): string => text.replaceAll("\\n", "\n").replaceAll("\\t", "\t");

function rowOf(text: string): Row {
  const [, name = "", change = "", rest = ""] = /^(.*?)\s+:: (.*)([^]*)$/.exec(text) ?? [];
  const [piece = "", replacement] = change.split(/ => ?| =>$/).map(unescaped);
  return {
    name,
    world: replacement === undefined ? piece : changed(piece, replacement),
    problems: rest.split("\n").flatMap((line) => (line === "" ? [] : [line.trim()])),
  };
}

const groups = mistakes
  .trim()
  .split(/^# /m)
  .slice(1)
  .map((group): [string, Row[]] => {
    const [title = "", ...lines] = group.trim().split("\n");
    return [
      title,
      lines
        .join("\n")
        .split(/\n(?! )/)
        .map(rowOf),
    ];
  });

/** The sentences of each problem, without the lines that are shown with it: `read-yaml.test.ts` holds those. */
const sentencesIn = (shown: string): string[] =>
  shown === "no problem"
    ? []
    : shown
        .trim()
        .split("\n\n")
        .map((one) => one.replaceAll(/^ *\d* \|.*$/gm, ""));

async function expectProblems(world: string, problems: readonly string[]): Promise<void> {
  const found = sentencesIn(await problemsIn(world));
  expect(found).toHaveLength(problems.length);
  for (const [index, problem] of problems.entries()) {
    const [place = "", ...facts] = problem.split(" | ");
    expect(found[index]?.slice(0, place.length + 12)).toBe(`world.yaml:${place} `);
    for (const fact of facts) expect(found[index]).toContain(fact);
  }
}

describe.each(groups)("A world file with %s", (_, rows) => {
  it.each(rows)("$name", ({ world, problems }) => expectProblems(world, problems));
});

it("A world file adds the balances of all clients up", async () => {
  const client = (usd: string): string =>
    `  - { name: bob-${usd}, feeModel: ALL_IN, makerRate: "0", takerRate: "0", balances: { USD: "${usd}" } }\n`;
  const rich = ["50000000000", "42233719368", "1"].map(client).join("");
  await expectProblems(changed("keys:", `${rich}keys:`), [
    "22:87: clients[3].balances.USD | all balances in USD above 92233720368.54775807",
  ]);
});
