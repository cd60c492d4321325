/** The frame of the page: navigation, the state of the sandbox, and the view of the address. */
import type { ComponentType } from "preact";
import { link, standing } from "./lib/feed.ts";
import { go, place, to, type View, view, views, viewTitles, world } from "./lib/router.ts";
import { token, tokenRefused } from "./lib/session.ts";
import { setTheme, theme, themes } from "./lib/theme.ts";
import { visible } from "./lib/visible.ts";
import { Notices } from "./parts/notices.tsx";
import { Palette, paletteOpen } from "./parts/palette.tsx";
import { Status, tellLocal } from "./parts/text.tsx";
import { Accounts } from "./views/accounts.tsx";
import { Exchanges } from "./views/exchanges.tsx";
import { Journal } from "./views/journal.tsx";
import { Market } from "./views/market.tsx";
import { Orders } from "./views/orders.tsx";
import { PlaceOrder } from "./views/place-order.tsx";
import { Start } from "./views/start.tsx";
import { TimeAndFaults } from "./views/time-and-faults.tsx";
import { WithoutToken } from "./views/without-token.tsx";
import { Worlds } from "./views/worlds.tsx";

const pages: Readonly<Record<View, ComponentType>> = {
  start: Start,
  market: Market,
  orders: Orders,
  exchanges: Exchanges,
  accounts: Accounts,
  time: TimeAndFaults,
  journal: Journal,
  worlds: Worlds,
  place: PlaceOrder,
};

export const App = () => {
  if (token.value === "" || tokenRefused.value) return <WithoutToken />;
  const Page = pages[view.value];
  document.title = `${viewTitles[view.value]} · ${visible(world.value)} · Gatewright`;
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        To the content
      </a>
      <Bar />
      <Navigation />
      <main id="content" tabIndex={-1}>
        <Standing />
        <Page key={`${world.value} ${view.value}`} />
      </main>
      <Notices />
      <Palette />
    </>
  );
};

/** The address names the place on the page, so this link moves the focus alone. */
function skip(event: Event): void {
  event.preventDefault();
  document.getElementById("content")?.focus();
}

const Bar = () => {
  const now = standing.value;
  return (
    <header class="bar">
      <a class="brand" href={to({ view: "start" })}>
        Gatewright
      </a>
      <WorldPicker />
      {now !== null && (
        <>
          <Status of={now.mode} />
          <span class="soft wide-only">
            entry <b class="num">{now.seq}</b>
          </span>
          <span class="soft wide-only">market time</span>
          <time class="num wide-only" dateTime={now.marketTime} onPointerEnter={tellLocal}>
            {now.marketTime.slice(0, 10)} {now.marketTime.slice(11, 19)} UTC
          </time>
          {now.clock !== "real" && <span class="tag warn">{now.clock} clock</span>}
        </>
      )}
      <span class={`link ${link.value}`} role="status">
        {linkTexts[link.value]}
      </span>
      <button type="button" class="small" onClick={() => (paletteOpen.value = true)}>
        Commands <kbd>Ctrl K</kbd>
      </button>
      <ThemePicker />
    </header>
  );
};

const linkTexts = {
  connecting: "connecting",
  live: "live",
  lost: "not connected",
  gone: "world is gone",
} as const;

const WorldPicker = () => (
  <select
    aria-label="World"
    value={world.value}
    onChange={({ currentTarget }) => go({ world: currentTarget.value, view: view.value })}
  >
    {[...new Set([world.value, ...(standing.value?.worlds ?? [])])].map((name) => (
      <option key={name} value={name}>
        {visible(name)}
      </option>
    ))}
  </select>
);

const ThemePicker = () => (
  <button
    type="button"
    class="small"
    aria-label={`Theme: ${theme.value}`}
    title={`Theme: ${theme.value}`}
    onClick={() => setTheme(themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "auto")}
  >
    {{ auto: "◐", light: "○", dark: "●" }[theme.value]}
  </button>
);

const Navigation = () => (
  <nav class="views" aria-label="Views">
    {views.map((one) => (
      <a key={one} href={to({ view: one })} aria-current={place.value.view === one ? "page" : undefined}>
        {viewTitles[one]}
      </a>
    ))}
    <a class="soft" href="/__gatewright/guide" target="_blank" rel="noreferrer">
      Guide ↗
    </a>
    <a class="soft last" href="/__gatewright/docs" target="_blank" rel="noreferrer">
      API reference ↗
    </a>
    <small class="soft">Charts: Lightweight Charts™ by TradingView</small>
  </nav>
);

/** What is wrong with the whole, and what to do. */
const Standing = () => {
  const now = standing.value;
  if (link.value === "gone")
    return (
      <p class="problem" role="alert">
        There is no world {visible(world.value)}; it was deleted, or the sandbox has begun anew.{" "}
        <a href={to({ world: "main", view: "market" })}>Go to main</a>, or{" "}
        <a href={to({ world: "main", view: "worlds" })}>make a world</a>.
      </p>
    );
  if (link.value === "lost")
    return (
      <p class="problem" role="alert">
        The sandbox does not answer. What you see is as it was. Start it again with{" "}
        <code>gatewright serve</code>: this page goes on by itself.
      </p>
    );
  if (now !== null && now.trouble !== null)
    return (
      <p class="problem" role="alert">
        The venue is {visible(now.mode)}: {visible(now.trouble)}
      </p>
    );
  return null;
};
