/** What a process tells a Prometheus. */
import { expect, test } from "vitest";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy, type Venue, withVenue } from "../testing/venue.ts";

const withWorld = useWorlds();

async function scraped({ simulator: { control } }: Venue): Promise<string> {
  const reply = await fetch(`${control?.url}/metrics`, {
    headers: { authorization: `Bearer ${control?.token}` },
  });
  expect([reply.status, reply.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return reply.text();
}

/** The value of a series, by its whole name with labels. */
const valueIn = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.slice(series.length),
  );

test("counts requests, commits and what each world has, from the first look on", async () => {
  await withVenue({}, async (running) => {
    const before = await scraped(running);
    expect(before).not.toContain('route="/api/v1/trading/order"');
    const entries = valueIn(before, 'gatewright_world_entries{world="main"}');
    for (let count = 0; count < 3; count++) await running.placed(limitBuy());
    await running.as("trader").place(limitBuy({ base_quantity: "x" }));
    await running.control("/worlds", { name: "other" });
    const text = await scraped(running);
    const requests = (status: number) =>
      valueIn(
        text,
        `gatewright_requests_total{method="POST",route="/api/v1/trading/order",status="${status}"}`,
      );
    expect([requests(200), requests(400)]).toEqual([3, 1]);
    const durations =
      'gatewright_request_duration_seconds_count{method="POST",route="/api/v1/trading/order"}';
    expect(valueIn(text, durations)).toBe(4);
    expect(valueIn(text, "gatewright_commit_duration_seconds_count")).toBeGreaterThanOrEqual(3);
    expect(valueIn(text, "gatewright_commit_entries_sum")).toBeGreaterThanOrEqual(3);
    expect(valueIn(text, 'gatewright_world_entries{world="main"}')).toBeGreaterThanOrEqual(entries + 3);
    for (const world of ["main", "other"])
      expect(valueIn(text, `gatewright_world_up{world="${world}"}`)).toBe(1);
    expect(text).toMatch(/^nodejs_eventloop_lag_seconds /m);
    await running.control("/worlds/other", {}, "DELETE");
    expect(await scraped(running)).not.toContain('world="other"');
  });
});

test("wants the token", async () => {
  await withWorld({}, async ({ simulator: { control } }) => {
    expect((await fetch(`${control?.url}/metrics`)).status).toBe(403);
  });
});
