/** Bugs in what is read about the market. */
import { bug, type Defect } from "../variations/defect.ts";
import { type Fields, mapBody } from "../variations/json.ts";

/** Each book in an answer. */
const bookWith =
  (change: (book: Fields) => Fields): Defect["decorate"] =>
  () => ({
    answer: (answer) => ({
      ...answer,
      body: mapBody(answer.body, (value) => ("bids" in value && "asks" in value ? change(value) : value)),
    }),
  });

/** The list of candles in an answer. */
const candlesWith =
  (change: (candle: Fields) => readonly Fields[]): Defect["decorate"] =>
  () => ({
    answer: (answer, { route }) =>
      route === "GET /product/{product}/candles" && answer.status === 200
        ? {
            ...answer,
            body: mapBody(answer.body, (value) =>
              Array.isArray(value["data"])
                ? { ...value, data: (value["data"] as readonly Fields[]).flatMap(change) }
                : value,
            ),
          }
        : answer,
  });

export const marketDefects: readonly Defect[] = [
  bug(
    "M-226",
    "A book shows a level in which nothing is left",
    ["EPT-13"],
    bookWith((book) => ({
      ...book,
      bids: [...(book["bids"] as readonly Fields[]), { price: "1", quantity: "0" }],
    })),
  ),
  bug(
    "M-227",
    "The two sides of a book are exchanged",
    ["EPT-13"],
    bookWith((book) => ({ ...book, bids: book["asks"], asks: book["bids"] })),
  ),
  bug(
    "M-228",
    "Each candle is listed twice",
    ["EPT-14"],
    candlesWith((candle) => [candle, candle]),
  ),
  bug(
    "M-229",
    "The open of a candle is above its high",
    ["EPT-14"],
    candlesWith((candle) => [{ ...candle, open: String(2 * Number(candle["high"])) }]),
  ),
];
