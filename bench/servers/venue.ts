/** The simulator with the world for load. */
import { startSimulator } from "../../simulator/index.ts";
import { loadWorldFile } from "../lib/load-world.ts";
import { ready } from "../lib/ready.ts";

const [, , db = ":memory:", exchanges = "log"] = process.argv;
const simulator = await startSimulator({
  db,
  exchanges: exchanges === "log",
  world: loadWorldFile(1000),
  onNotice: (sentence) => console.error(sentence),
});
ready(Number(new URL(simulator.baseUrl).port));
