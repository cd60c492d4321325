/** Assets, wallets, deposit addresses, deposits, and the account's own fees and settings. */
import type { Client } from "../../domain/account.ts";
import { ok } from "../../domain/result.ts";
import type { VenueState } from "../../engine/state.ts";
import {
  addressView,
  assetView,
  depositView,
  feeView,
  settingsView,
  walletViews,
} from "../../wire/account-view.ts";
import { decodeAddressRequest } from "../../wire/address-request.ts";
import { type Component, component } from "../../wire/components.ts";
import {
  assets,
  choice,
  choices,
  instant,
  integer,
  networks,
  oneProduct,
  oneText,
  type QueryFields,
} from "../../wire/query-fields.ts";
import { list } from "../../wire/schema.ts";
import {
  askInBody,
  type Call,
  clientOf,
  idOf,
  invalidCursor,
  type Reply,
  type Route,
  refuse,
  refuseRejected,
  route,
  success,
  successText,
  unknownProduct,
} from "../route.ts";

/** A read of the caller's account: the form of an id in the path first, then the client. */
function accountRead<A, F extends QueryFields = QueryFields>(
  route: Omit<Route<F, A>, "method" | "view">,
  view: (call: Call<F>, client: Client, state: VenueState) => Reply<NoInfer<A>>,
): Route<F, A> {
  return {
    method: "GET",
    ...route,
    view: (call, _outcome, state) => {
      const id = call.params["id"] === undefined ? null : idOf(call);
      if (id?.ok === false) return id;
      const client = clientOf(call);
      return client.ok ? view(call, state.client(client.value), state) : client;
    },
  };
}

const listAssets = route({
  method: "GET",
  path: "/asset",
  operationId: "listAssets",
  tag: "Assets",
  summary: "List assets available to the account",
  answer: { schema: list(component("Asset")) },
  refusals: [],
  view: (_call, _outcome, state) => {
    const assets = [...state.world.assets].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
    return success(assets.map((asset) => assetView(state, asset)));
  },
});

const readAsset = route({
  method: "GET",
  path: "/asset/{symbol}",
  operationId: "readAsset",
  tag: "Assets",
  summary: "Read one asset",
  answer: { schema: component("Asset") },
  refusals: ["ASSET_NOT_FOUND"],
  view: ({ params }, _outcome, state) => {
    const symbol = params["symbol"] ?? "";
    const asset = state.world.assets.find((candidate) => candidate.symbol === symbol);
    if (asset !== undefined) return success(assetView(state, asset));
    return refuse("ASSET_NOT_FOUND", `There is no asset ${symbol.slice(0, 64)}; GET /asset lists them`, [
      { field: "symbol" },
    ]);
  },
});

const listWallets = accountRead(
  {
    path: "/wallet",
    operationId: "listWallets",
    tag: "Wallets",
    summary: "List wallets with balances and holds",
    query: { asset: assets("Asset symbol.") },
    answer: { schema: list(component("Wallet")) },
    refusals: ["FORBIDDEN"],
  },
  (call, client, state) => success(walletViews(state, call.ids, client, call.query.asset)),
);

const createAddress = route({
  method: "POST",
  path: "/wallet/deposit-address",
  operationId: "createDepositAddress",
  tag: "Wallets",
  summary: "Make a deposit address",
  description: "Every call makes a new, unique address; earlier ones stay valid.",
  message: "Deposit address created",
  body: { shape: component("DepositAddressRequest") },
  answer: { schema: component("DepositAddress"), status: 201 },
  refusals: ["VALIDATION_FAILED", "ASSET_NOT_SUPPORTED", "NETWORK_NOT_SUPPORTED", "FORBIDDEN"],
  decode: (call) =>
    askInBody(call, decodeAddressRequest, (request) => {
      const client = clientOf(call);
      return client.ok ? ok({ kind: "CreateDepositAddress", client: client.value, ...request }) : client;
    }),
  view: ({ ids }, outcome, state) => {
    if (outcome.kind === "rejected") return refuseRejected(outcome.rejection);
    const address = outcome.kind === "done" ? state.addresses[outcome.number - 1] : undefined;
    if (address === undefined) return refuse("INTERNAL_ERROR", "The venue made no address");
    return successText(JSON.stringify(addressView(state, ids, address)), "Deposit address created", 201);
  },
});

const listAddresses = accountRead(
  {
    path: "/wallet/deposit-address",
    operationId: "listDepositAddresses",
    tag: "Wallets",
    summary: "List deposit addresses, newest first",
    query: { asset: assets("Asset symbol."), network: networks("Network id.") },
    answer: { schema: list(component("DepositAddress")) },
    refusals: ["FORBIDDEN"],
  },
  (call, client, state) =>
    success(
      state.addresses
        .filter((address) => address.client === client.index)
        .map((address) => addressView(state, call.ids, address))
        .filter(
          (view) => within(call.query.asset, view["asset"]) && within(call.query.network, view["network"]),
        )
        .reverse(),
    ),
);

const within = (allowed: readonly string[], value: unknown): boolean =>
  allowed.length === 0 || allowed.includes(String(value));

const depositQuery = {
  asset: assets("Asset symbol."),
  network: networks("Network id."),
  status: choices("Deposit status.", ["PENDING", "CONFIRMED", "FAILED"]),
  startTime: instant("First seen at or after this time."),
  endTime: instant("First seen before this time."),
  sort: choice("Newest (DESC) or oldest (ASC) first; DESC when absent.", ["ASC", "DESC"]),
  limit: integer("Deposits of a page.", 1, 500, 100),
  cursor: oneText("`nextCursor` of the page before, with the same filters."),
};

const listDeposits = accountRead(
  {
    path: "/wallet/deposits",
    operationId: "listDeposits",
    tag: "Wallets",
    summary: "Read deposit history, page by page",
    query: depositQuery,
    answer: { schema: component("DepositPage") },
    refusals: ["INVALID_CURSOR", "FORBIDDEN"],
  },
  depositPage,
);

function depositPage(
  call: Call<typeof depositQuery>,
  client: Client,
  state: VenueState,
): Reply<Component<"DepositPage">> {
  const { cursor, limit, ...filter } = call.query;
  const direction = filter.sort === "ASC" ? "ASC" : "DESC";
  const scope = { ...filter, client: client.index, sort: direction };
  const after = cursor === null ? null : call.ids.depositCursors.decode(cursor, scope);
  if (cursor !== null && after === null) return invalidCursor;
  const listed = state.deposits.filter(
    (deposit) =>
      deposit.client === client.index &&
      within(filter.status, deposit.status) &&
      within(filter.network, deposit.network) &&
      within(filter.asset, state.world.assets[deposit.asset]?.symbol) &&
      deposit.createdAt >= (filter.startTime ?? Number.NEGATIVE_INFINITY) &&
      deposit.createdAt < (filter.endTime ?? Number.POSITIVE_INFINITY) &&
      (after === null || (direction === "ASC" ? deposit.number > after : deposit.number < after)),
  );
  if (direction === "DESC") listed.reverse();
  const items = listed.slice(0, limit);
  const hasNext = listed.length > limit;
  const last = items.at(-1);
  return success({
    items: items.map((deposit) => depositView(state, call.ids, deposit)),
    pagination: {
      nextCursor: hasNext && last !== undefined ? call.ids.depositCursors.encode(last.number, scope) : null,
      hasNext,
      sortDirection: direction,
    },
  });
}

const readDeposit = accountRead(
  {
    path: "/wallet/deposits/{id}",
    operationId: "readDeposit",
    tag: "Wallets",
    summary: "Read one deposit",
    answer: { schema: component("Deposit") },
    refusals: ["VALIDATION_FAILED", "DEPOSIT_NOT_FOUND", "FORBIDDEN"],
  },
  (call, client, state) => {
    const number = call.ids.deposit.numberOf(call.params["id"] ?? "");
    const deposit = number === null ? undefined : state.deposits[number - 1];
    if (deposit !== undefined && deposit.client === client.index)
      return success(depositView(state, call.ids, deposit));
    return refuse("DEPOSIT_NOT_FOUND", "There is no such deposit in this account", [{ field: "id" }]);
  },
);

const accountFee = accountRead(
  {
    path: "/account/fee",
    operationId: "readAccountFee",
    tag: "Account",
    summary: "Read the trading fee",
    query: { product: oneProduct("Trading pair.") },
    answer: { schema: component("AccountFee") },
    refusals: ["PRODUCT_NOT_FOUND", "FORBIDDEN"],
  },
  (call, client, state) => {
    const { product } = call.query;
    if (product === null) return success(feeView(state, client, null));
    const market = state.marketOf(product);
    return market === null ? unknownProduct(product) : success(feeView(state, client, market.product));
  },
);

const accountSettings = accountRead(
  {
    path: "/account/settings",
    operationId: "readAccountSettings",
    tag: "Account",
    summary: "Read the effective account settings",
    answer: { schema: component("AccountSettings") },
    refusals: ["FORBIDDEN"],
  },
  (call, client, state) =>
    success(settingsView(state, call.ids, client, call.caller.claims, call.options.rateLimit)),
);

export const accountRoutes: readonly Route[] = [
  listAssets,
  readAsset,
  listWallets,
  createAddress,
  listAddresses,
  listDeposits,
  readDeposit,
  accountFee,
  accountSettings,
];
