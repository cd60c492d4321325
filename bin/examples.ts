/** Examples for the end of each `--help`. A test compares every line with the flags that exist. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  serve: [
    "gatewright serve",
    "gatewright serve --port 0 --db :memory: --clock manual --json",
    "gatewright serve --world my-world.yaml --db my-world.db",
  ],
  check: ["gatewright check --db gatewright.db"],
  backup: ["gatewright backup --db gatewright.db --out monday.db"],
  reset: ["gatewright reset --db gatewright.db"],
  ctl: [
    "gatewright ctl clock advance 1m",
    "gatewright ctl product halt BTC-USD",
    "gatewright ctl deposit create alice BTC 0.5 --confirmations 3",
    "gatewright ctl faults set faults.json",
  ],
  nodes: ["gatewright nodes", "gatewright nodes --json"],
  work: [
    "gatewright work --store postgres://gatewright@db.example/sandbox --jobs 4",
    "gatewright work --store postgres://gatewright@db.example/sandbox --profile staging.yaml",
    "gatewright work --store postgres://gatewright@db.example/sandbox --client 'python3 my_client.py'",
  ],
  tail: ["gatewright tail", "gatewright tail --key trader --status 4xx --why"],
  why: ["gatewright why req-00000012", "gatewright why 3f2504e0-4f89-41d3-9a0c-0305e82c3301 --json"],
  watch: ["gatewright watch", "gatewright watch --product ETH-USD --ready-file ready.json --sign other"],
  conform: [
    "gatewright conform --ready-file ready.json",
    "gatewright conform --target http://127.0.0.1:8080/api/v1/trading --key-id KEY --secret-env SECRET",
    "gatewright conform --profile staging.yaml --level core+limits --report html=report.html --report junit=junit.xml",
    "gatewright conform --profile staging.yaml --only PLC-11 --seed 42",
  ],
  plan: ["gatewright plan --profile staging.yaml --level full"],
  cleanup: ["gatewright cleanup --profile staging.yaml"],
  probe: [
    "gatewright probe --target https://gw.staging.example/api/v1/trading --key-id KEY --secret-env SECRET --out staging.yaml",
  ],
  learn: [
    "gatewright learn --profile staging.yaml --dry-run",
    "gatewright learn --profile staging.yaml --out-world staging.world.yaml --report json=learned.json",
  ],
  certify: ["gatewright certify --profile staging.yaml --level core --key key.pem --challenge 'A WORD'"],
  exam: [
    "gatewright exam --client 'python3 my_client.py' --tasks place,cancel --report html=exam.html",
    "gatewright exam --client 'node my-client.js' --only place-answer-lost",
    "gatewright exam --client 'python3 my_client.py' --name acme --key key.pem --challenge 'A WORD'",
    "gatewright exam --list",
  ],
  bisect: [
    "gatewright bisect -- node my-client.js",
    "gatewright bisect --runs 100 --time-limit 10 --out found.yaml -- python3 my_client.py --once",
  ],
  verify: ["gatewright verify certificate.json report.json --challenge 'A WORD' --key key.pub.pem"],
  replay: [
    "gatewright replay counterexamples/cx-p18-2f9c1e.yaml --ready-file ready.json",
    "gatewright replay lost-fill.capsule",
    "gatewright replay lost-fill.capsule --step",
    "gatewright replay lost-fill.capsule --serve --until 57",
  ],
  capsule: [
    "gatewright capsule --out lost-fill.capsule",
    "gatewright capsule --world ci --out ci.capsule",
    "gatewright capsule --db gatewright.db --out lost-fill.capsule",
  ],
  sign: [
    "gatewright sign --method GET --path /api/v1/trading/order/open --key-id KEY --secret-env SECRET",
    "gatewright sign --method POST --path /api/v1/trading/order --body-file order.json --ready-file ready.json",
  ],
  doctor: [
    "gatewright doctor request.txt",
    "gatewright doctor - --key-id KEY --secret-env SECRET",
    "gatewright doctor entry.har --json",
  ],
  proxy: [
    "gatewright proxy --ready-file ready.json --sign reader --port 8081",
    "gatewright proxy --target http://127.0.0.1:8080/api/v1/trading --key-id KEY --secret-env SECRET",
  ],
  record: [
    "gatewright record --out session.recording",
    "gatewright record --target https://gw.staging.example/api/v1/trading --out session.recording",
  ],
  export: [
    "gatewright export --out what-just-happened.yaml",
    "gatewright export session.recording --out lost-answer.yaml",
    "gatewright export session.recording --out lost-answer.yaml --from 10s --key trader --only 'POST */order' --spec PLC-11",
  ],
  shrink: [
    "gatewright shrink session.recording --violates PLC-10 --out double-order.yaml",
    "gatewright shrink case.yaml --differs --profile staging.yaml --out less.yaml",
    "gatewright shrink case.yaml --while 'gatewright replay {} | grep -q EXCHANGE_REJECTED' --out less.yaml",
  ],
  lint: ["gatewright lint my-cases/"],
  list: ["gatewright list --copy-to scenarios", "gatewright list --scenarios my-cases/"],
  coverage: [
    "gatewright coverage --report markdown=coverage.md",
    "gatewright coverage --pairs --profile staging.yaml",
  ],
  merge: ["gatewright merge part-1.ndjson part-2.ndjson --report json=report.json"],
  diff: ["gatewright diff before.json after.json"],
  drift: [
    "gatewright drift --a staging.yaml --b production.yaml --report html=drift.html",
    "gatewright drift --a ready-1.json --b ready-2.json case.yaml",
  ],
  explain: ["gatewright explain PLC-11"],
  mcp: ["gatewright mcp", "gatewright mcp --ready-file ready.json"],
  mutants: [
    "gatewright mutants --list",
    "gatewright mutants --only M-041 --report html=matrix.html --report json=matrix.json",
  ],
  completion: ["gatewright completion bash"],
  version: ["gatewright version"],
};

export function examplesOf(command: string): string {
  const lines = examples[command] ?? [];
  const title = lines.length === 1 ? "Example" : "Examples";
  return lines.length === 0 ? "" : `\n${title}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
