/** The smallest sound world, as text and with one line changed, for the tests of mistakes. */
import { formatProblems } from "../problem.ts";
import { readWorld } from "../read-world.ts";

export const smallWorld = `\
assets:
  - { symbol: USD, name: US dollar, precision: 2 }
  - { symbol: BTC, name: Bitcoin }
products:
  - id: BTC-USD
    baseIncrement: "0.0001"
    priceIncrement: "0.01"
    exchangeMinSize: "0.001"
    exchangeMaxSize: "100"
    referencePrice: "60000"
clients:
  - name: alice
    feeModel: ALL_IN
    makerRate: "0.001"
    takerRate: "0.002"
    balances:
      USD: "1000"
    rules:
      BTC-USD: { maxOrderSize: "10" }
keys:
  - name: trader
    client: alice
    claims: [read:orders, write:orders]
`;

/** The world with one piece of text replaced; the piece must be there. */
export function changed(piece: string, replacement: string, world: string = smallWorld): string {
  if (!world.includes(piece)) throw new Error(`the world has no ${JSON.stringify(piece)}`);
  return world.replace(piece, () => replacement);
}

/** All problems as a person sees them, or "no problem". */
export async function problemsIn(
  text: string,
  files: Readonly<Record<string, string>> = {},
): Promise<string> {
  const readText = (name: string): Promise<string> => {
    const file = files[name];
    return file === undefined ? Promise.reject(new Error("there is no such file")) : Promise.resolve(file);
  };
  const read = await readWorld(text, { file: "world.yaml", readText });
  return read.ok ? "no problem" : `\n${formatProblems(read.error)}\n`;
}
