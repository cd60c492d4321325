/** Every public identifier of a venue, from its seed. */
import { Identity } from "../domain/identity.ts";
import { Cursors } from "./cursor.ts";

export class Identities {
  readonly order: Identity;
  readonly external: Identity;
  readonly deposit: Identity;
  readonly address: Identity;
  readonly fill: Identity;
  readonly orderCursors: Cursors;
  readonly depositCursors: Cursors;
  readonly #client: Identity;
  readonly #portfolio: Identity;
  readonly #wallet: Identity;
  readonly #clientIds = new Map<number, string>();
  readonly #portfolioIds = new Map<number, string>();

  constructor(seed: number) {
    this.order = new Identity(seed, "order");
    this.external = new Identity(seed, "external");
    this.deposit = new Identity(seed, "deposit");
    this.address = new Identity(seed, "address");
    this.fill = new Identity(seed, "fill");
    this.orderCursors = new Cursors(seed, "orders");
    this.depositCursors = new Cursors(seed, "deposits");
    this.#client = new Identity(seed, "client");
    this.#portfolio = new Identity(seed, "portfolio");
    this.#wallet = new Identity(seed, "wallet");
  }

  clientId(index: number): string {
    return remember(this.#clientIds, index, this.#client);
  }

  portfolioId(index: number): string {
    return remember(this.#portfolioIds, index, this.#portfolio);
  }

  walletId(client: number, asset: number): string {
    return this.#wallet.idOf(client * 10_000 + asset + 1);
  }
}

function remember(known: Map<number, string>, index: number, identity: Identity): string {
  let id = known.get(index);
  if (id === undefined) {
    id = identity.idOf(index + 1);
    known.set(index, id);
  }
  return id;
}
