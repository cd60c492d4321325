/** The world that `gatewright serve` starts with: those sections of fixtures/worlds/demo.yaml that other worlds can extend. */
import { fixture } from "../fixture.ts";
import type { WorldFile } from "./schema.ts";

type Section = "assets" | "products" | "clients" | "keys";

// as: a test reads the file as that of any user, and compares the digests.
const { assets, products, clients, keys } = fixture("worlds", "demo.yaml") as WorldFile &
  Required<Pick<WorldFile, Section>>;

export const demoWorld: WorldFile = { assets, products, clients, keys };
