/** Wallets, addresses, deposits, fees, settings and assets: the account as its owner sees it. */
import { describe, expect, test } from "vitest";
import { asObject, type JsonObject, listIn, text } from "../testing/client.ts";
import { problemsIn } from "../testing/records.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, limitSell, type Venue, withVenue } from "../testing/venue.ts";

const venue = useVenue();

const deposit = (running: Venue, fields: JsonObject): Promise<JsonObject> =>
  running.control("/clients/alice/deposits", fields);

describe("deposits", () => {
  test("PENDING counts confirmations up; the balance is credited once, at CONFIRMED", async () => {
    await withVenue({}, async (running) => {
      const balance = async (): Promise<unknown> => (await running.wallet("ETH"))["balance"];
      const { id } = await deposit(running, { asset: "ETH", amount: "2.5" });
      const read = async (): Promise<JsonObject> =>
        (await running.trader.get(`/wallet/deposits/${String(id)}`)).data;
      expect(problemsIn("Deposit", await read())).toEqual([]);
      expect(await read()).toMatchObject({
        asset: "ETH",
        network: "ethereum-mainnet",
        amount: "2.5",
        status: "PENDING",
        confirmations: 0,
        confirmationsRequired: 12,
        completedAt: null,
      });
      expect(await balance()).toBe("10000");
      await running.control(`/deposits/${String(id)}/confirmations`, { confirmations: 11 });
      expect(await read()).toMatchObject({ status: "PENDING", confirmations: 11 });
      expect(await balance()).toBe("10000");
      await running.advance(60_000);
      await running.control(`/deposits/${String(id)}/confirmations`, { confirmations: 5 });
      expect(await read()).toMatchObject({
        status: "CONFIRMED",
        confirmations: 12,
        completedAt: "2026-01-01T00:01:00.000Z",
      });
      expect(await balance()).toBe("10002.5");
      const again = await running.controlReply(`/deposits/${String(id)}/confirmations`, { confirmations: 1 });
      const fail = await running.controlReply(`/deposits/${String(id)}/fail`);
      expect([again.status, fail.status]).toEqual([400, 400]);
      expect(await balance()).toBe("10002.5");
    });
  });

  test("PENDING to FAILED credits nothing", async () => {
    await withVenue({}, async (running) => {
      const { id } = await deposit(running, { asset: "BTC", amount: "0.5", confirmations: 2 });
      await running.control(`/deposits/${String(id)}/fail`);
      const record = (await running.trader.get(`/wallet/deposits/${String(id)}`)).data;
      expect(record).toMatchObject({ status: "FAILED", confirmations: 2 });
      expect(record["completedAt"]).not.toBeNull();
      expect(await running.wallet("BTC")).toMatchObject({ balance: "1000" });
    });
  });

  test("enough confirmations at once credit at once", async () => {
    await withVenue({}, async (running) => {
      expect(await deposit(running, { asset: "BTC", amount: "0.5", confirmations: 3 })).toMatchObject({
        status: "CONFIRMED",
      });
      expect(await running.wallet("BTC")).toMatchObject({ balance: "1000.5" });
    });
  });

  test("filters by asset, network, status and time; paging by cursor", async () => {
    await withVenue({}, async (running) => {
      const ids: unknown[] = [];
      for (const [at, asset] of ["BTC", "ETH", "BTC", "SOL", "BTC"].entries()) {
        ids.push((await deposit(running, { asset, amount: "1", confirmations: at === 2 ? 50 : 0 }))["id"]);
        await running.advance(60_000);
      }
      const list = async (query: string): Promise<unknown[]> => {
        const reply = await running.trader.get("/wallet/deposits", { query });
        expect(problemsIn("DepositPage", reply.data)).toEqual([]);
        return listIn(reply.data["items"]).map((item) => ids.indexOf(item["id"] as string));
      };
      expect(await list("")).toEqual([4, 3, 2, 1, 0]);
      expect(await list("sort=ASC")).toEqual([0, 1, 2, 3, 4]);
      expect(await list("asset=BTC")).toEqual([4, 2, 0]);
      expect(await list("asset=ETH,SOL")).toEqual([3, 1]);
      expect(await list("network=ethereum-mainnet")).toEqual([1]);
      expect(await list("status=CONFIRMED")).toEqual([2]);
      expect(await list("startTime=2026-01-01T00:01:00Z&endTime=2026-01-01T00:03:00Z")).toEqual([2, 1]);
      expect(await list("start_time=2026-01-01T00:01:00Z&sort=ASC&limit=2")).toEqual([1, 2]);
      const page = (await running.trader.get("/wallet/deposits", { query: "limit=2" })).data;
      const pagination = asObject(page["pagination"]);
      expect(pagination).toMatchObject({ hasNext: true, sortDirection: "DESC" });
      expect(await list(`limit=2&cursor=${text(pagination, "nextCursor")}`)).toEqual([2, 1]);
      const foreign = await running.trader.get("/wallet/deposits", {
        query: `limit=2&asset=BTC&cursor=${text(pagination, "nextCursor")}`,
      });
      expect(foreign.code).toBe("INVALID_CURSOR");
    });
  });
});

describe("the wallet that a record names", () => {
  const named = async (running: Venue, walletId: unknown): Promise<unknown> =>
    (await running.trader.get("/wallet")).list.find(({ id }) => id === walletId);

  test("is in the list from the first address on, empty", async () => {
    await withVenue({}, async (running) => {
      const { data } = await running.trader.post("/wallet/deposit-address", { asset: "XRP" });
      expect(await named(running, data["walletId"])).toMatchObject({
        asset: "XRP",
        balance: "0",
        hold: "0",
        available: "0",
      });
    });
  });

  test("is in the list while the first deposit is pending, and when it fails", async () => {
    await withVenue({}, async (running) => {
      const { id, walletId } = await deposit(running, { asset: "XRP", amount: "100" });
      expect(await named(running, walletId)).toMatchObject({ asset: "XRP", balance: "0" });
      await running.control(`/deposits/${String(id)}/fail`);
      expect(await named(running, walletId)).toMatchObject({ asset: "XRP", balance: "0" });
    });
  });
});

test("the trading volume is what the fills of the account came to, per currency", async () => {
  await withVenue({}, async (running) => {
    const volume = async (key: string, query = ""): Promise<unknown> => {
      const { data } = await running.as(key).get("/account/fee", { query });
      return [data["tradingVolume"], data["currency"]];
    };
    expect(await volume("trader", "product=BTC-USD")).toEqual(["0", "USD"]);
    await running.placed(limitSell({ price: "60000", base_quantity: "0.02" }), "counterparty");
    await running.settle();
    await running.placed(limitBuy({ price: "61000", base_quantity: "0.01" }));
    await running.settle();
    await running.placed(limitBuy({ price: "60000", base_quantity: "0.005" }));
    await running.settle();
    expect(await volume("trader", "product=BTC-USD")).toEqual(["900", "USD"]);
    expect(await volume("trader", "product=SOL-USD")).toEqual(["900", "USD"]);
    expect(await volume("counterparty", "product=BTC-USD")).toEqual(["900", "USD"]);
    expect(await volume("trader", "product=ETH-BTC")).toEqual(["0", "BTC"]);
    expect(await volume("other", "product=BTC-USD")).toEqual(["0", "USD"]);
  });
});

describe("deposit addresses", () => {
  test("every call makes a new one, 201; earlier ones stay; newest first", async () => {
    await withVenue({}, async (running) => {
      const made: JsonObject[] = [];
      for (const body of [
        { asset: "ETH" },
        { asset: "ETH", network: "base-mainnet" },
        { asset: "ETH" },
        { asset: "XRP" },
      ]) {
        const reply = await running.trader.post("/wallet/deposit-address", body);
        expect([reply.status, reply.body["statusCode"], reply.body["success"]]).toEqual([201, 201, true]);
        expect(problemsIn("DepositAddress", reply.data)).toEqual([]);
        made.push(reply.data);
      }
      expect(new Set(made.map(({ address }) => address)).size).toBe(4);
      expect(made.map(({ network }) => network)).toEqual([
        "ethereum-mainnet",
        "base-mainnet",
        "ethereum-mainnet",
        "ripple-mainnet",
      ]);
      expect(made[3]).toMatchObject({ accountIdentifierName: "destination_tag" });
      expect(text(made[3] ?? {}, "accountIdentifier")).toMatch(/^[0-9]+$/);
      expect(made[0]).toMatchObject({ accountIdentifier: null, accountIdentifierName: null });
      for (const { address } of made) expect(address).toMatch(/sim/i);
      const list = async (query = ""): Promise<readonly JsonObject[]> =>
        (await running.trader.get("/wallet/deposit-address", { query })).list;
      expect(await list()).toEqual(made.toReversed());
      expect(await list("asset=XRP")).toEqual([made[3]]);
      expect(await list("network=base-mainnet")).toEqual([made[1]]);
    });
  });

  test.each([
    ["money", { asset: "USD" }, "ASSET_NOT_SUPPORTED"],
    ["an unknown asset", { asset: "NOSUCH" }, "ASSET_NOT_SUPPORTED"],
    ["a network of another asset", { asset: "BTC", network: "ethereum-mainnet" }, "NETWORK_NOT_SUPPORTED"],
    ["a network that takes no deposits", { asset: "DOGE" }, "NETWORK_NOT_SUPPORTED"],
    ["no asset", {}, "VALIDATION_FAILED"],
    ["an asset that is no text", { asset: 5 }, "VALIDATION_FAILED"],
    ["a network that is no text", { asset: "BTC", network: {} }, "VALIDATION_FAILED"],
    ["a list", [], "VALIDATION_FAILED"],
  ])("%s: 400", async (_name, body, code) => {
    const reply = await venue().trader.post("/wallet/deposit-address", body);
    expect([reply.status, reply.code]).toEqual([400, code]);
  });
});

describe("wallets", () => {
  test("closed records, sorted by asset; available is balance less hold", async () => {
    const wallets = (await venue().trader.get("/wallet")).list;
    for (const wallet of wallets) expect(problemsIn("Wallet", wallet)).toEqual([]);
    const assets = wallets.map(({ asset }) => String(asset));
    expect(assets).toEqual(assets.toSorted());
    await venue().placed(limitBuy({ base_quantity: "1" }));
    await venue().placed(limitSell({ base_quantity: "0.25" }));
    expect(await venue().wallet("USD")).toMatchObject({
      balance: "100000000",
      hold: "30075",
      available: "99969925",
    });
    expect(await venue().wallet("BTC")).toMatchObject({ balance: "1000", hold: "0.25", available: "999.75" });
  });

  test("the filter takes one, several and unknown assets", async () => {
    const list = async (query: string): Promise<unknown[]> =>
      (await venue().trader.get("/wallet", { query })).list.map(({ asset }) => asset);
    expect(await list("asset=BTC")).toEqual(["BTC"]);
    expect(await list("asset=USD,BTC")).toEqual(["BTC", "USD"]);
    expect(await list("asset=USD&asset=BTC")).toEqual(["BTC", "USD"]);
    expect(await list("asset=NOSUCH")).toEqual([]);
  });

  test("a debit takes what is available and not what is on hold", async () => {
    await withVenue({}, async (running) => {
      await running.placed(limitSell({ base_quantity: "1" }));
      const debit = { asset: "BTC", amount: "999.5", direction: "debit" };
      expect((await running.controlReply("/clients/alice/balance", debit)).status).toBe(400);
      await running.control("/clients/alice/balance", { ...debit, amount: "999" });
      expect(await running.wallet("BTC")).toMatchObject({ balance: "1", hold: "1", available: "0" });
    });
  });
});

describe("fee and settings", () => {
  test("the fee record, with and without a product", async () => {
    const plain = (await venue().trader.get("/account/fee")).data;
    expect(problemsIn("AccountFee", plain)).toEqual([]);
    expect(plain).toMatchObject({
      type: "ALL_IN",
      product: null,
      makerRate: "0.0025",
      exchangeMakerRate: "0",
    });
    const fee = (await venue().as("other").get("/account/fee", { query: "product=ETH-BTC" })).data;
    expect(problemsIn("AccountFee", fee)).toEqual([]);
    expect(fee).toMatchObject({
      type: "COST_PLUS",
      product: "ETH-BTC",
      makerRate: "0.0005",
      exchangeMakerRate: "0.001",
      exchangeTakerRate: "0.002",
      currency: "BTC",
    });
  });

  test("changed rates show at once and hold for new orders only", async () => {
    await withVenue({}, async (running) => {
      const before = await running.placed(limitBuy({ price: "60000" }));
      await running.control("/clients/alice/fees", {
        feeModel: "COST_PLUS",
        makerRate: "0.01",
        takerRate: "0.01",
        exchangeMakerRate: "0.02",
        exchangeTakerRate: "0.02",
      });
      expect((await running.trader.get("/account/fee")).data).toMatchObject({
        type: "COST_PLUS",
        makerRate: "0.01",
      });
      const after = await running.placed(limitBuy({ price: "60000" }));
      await running.settle();
      await running.placed(limitSell({ price: "60000", base_quantity: "0.02" }), "counterparty");
      await running.settle();
      expect(await running.order(String(before["id"]))).toMatchObject({
        commission: "1.5",
        exchangeFee: "0",
      });
      expect(await running.order(String(after["id"]))).toMatchObject({ commission: "6", exchangeFee: "12" });
    });
  });

  test("the settings record: effective limits, where they come from, and the claims of the key", async () => {
    const settings = (await venue().as("read-account").get("/account/settings")).data;
    expect(problemsIn("AccountSettings", settings)).toEqual([]);
    expect(settings["keyClaims"]).toEqual(["read:account"]);
    const products = listIn(settings["products"]);
    const ids = products.map(({ productId }) => String(productId));
    expect(ids).toEqual(ids.toSorted());
    const of = (id: string): JsonObject => products.find(({ productId }) => productId === id) ?? {};
    expect(of("BTC-USD")).toMatchObject({
      enabled: true,
      minOrderSize: "0.0001",
      maxOrderSize: "10",
      source: "ACCOUNT",
    });
    expect(of("ETH-USD")).toMatchObject({
      enabled: true,
      minOrderSize: "0.001",
      maxOrderSize: "1000",
      source: "DEFAULT",
    });
    expect(of("DOGE-USD")).toMatchObject({ enabled: false });
  });

  test("an order of the account shows its owner as the settings do", async () => {
    const { userId, portfolioId } = (await venue().trader.get("/account/settings")).data;
    expect(await venue().placed(limitBuy())).toMatchObject({ userId, portfolioId });
  });
});

describe("assets", () => {
  test("closed records, sorted; one by its symbol is the same", async () => {
    const assets = (await venue().trader.get("/asset")).list;
    for (const asset of assets) expect(problemsIn("Asset", asset)).toEqual([]);
    const symbols = assets.map(({ symbol }) => symbol);
    expect(symbols).toEqual(["BTC", "DOGE", "ETH", "EUR", "SHIB", "SOL", "USD", "XRP"]);
    for (const asset of assets)
      expect((await venue().trader.get(`/asset/${text(asset, "symbol")}`)).data).toEqual(asset);
    expect(assets.find(({ symbol }) => symbol === "EUR")).toMatchObject({
      networks: [],
      depositEnabled: false,
    });
  });
});
