/** The console: one page over the documented control surface. */
import { effect, useSignal } from "@preact/signals";
import { options, render } from "preact";
import { useEffect } from "preact/hooks";
import { act, dismiss, notes } from "./act.ts";
import { call, token, world } from "./api.ts";
import { follow, heardAt, link, standing } from "./feed.ts";
import { Palette, paletteIsOpen } from "./parts/palette.tsx";
import { route, to } from "./router.ts";
import { visible } from "./text.ts";
import { theme, turnTheme } from "./theme.ts";
import { viewOf, views } from "./views.tsx";

// One paint a frame, however much comes.
options.debounceRendering = requestAnimationFrame;

function App() {
  const [name = "", ...parts] = route.value;
  const view = viewOf(name);
  useEffect(() => {
    document.title = `${view.title} · Gatewright`;
  }, [view]);
  if (token.value === null) return <Denied />;
  return (
    <>
      <a class="skip" href="#content">
        To the content
      </a>
      <Top />
      <nav class="side" aria-label="Views">
        {views.map((one) => (
          <a key={one.name} href={to(one.name)} aria-current={one === view ? "page" : undefined}>
            <span aria-hidden="true">{one.sign}</span> {one.title}
          </a>
        ))}
      </nav>
      <main id="content" tabIndex={-1}>
        <Trouble />
        <h1 class="hidden">{view.title}</h1>
        <view.component key={`${world.value}/${view.name}`} parts={parts} />
        <footer>
          Candles are drawn by{" "}
          <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
            TradingView Lightweight Charts™
          </a>
          . This page talks to {location.host} alone.
        </footer>
      </main>
      <Notes />
      <Palette />
    </>
  );
}

function Top() {
  const here = standing.value;
  const frozen = here?.clock === "manual";
  const known = here?.worlds ?? [world.value];
  return (
    <header class="top">
      <a class="brand" href={to("")}>
        Gatewright
      </a>
      <label class="world">
        <span class="hidden">World</span>
        <select value={world.value} onChange={(event) => (world.value = event.currentTarget.value)}>
          {(known.includes(world.value) ? known : [...known, world.value]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <MarketTime />
      <button
        type="button"
        class="small"
        onClick={() =>
          act(frozen ? "The clock runs." : "The clock stands.", () =>
            call("POST", "/clock", { mode: frozen ? "real" : "manual" }),
          )
        }
      >
        {frozen ? "Run" : "Freeze"}
      </button>
      <button
        type="button"
        class="small"
        disabled={here?.clock === "real"}
        onClick={() =>
          act("The clock went on by one minute.", () => call("POST", "/clock", { advanceMs: 60_000 }))
        }
      >
        + 1 min
      </button>
      <span class="grow" />
      <span class={`link ${link.value}`} role="status">
        {link.value === "live"
          ? `live, entry ${here?.seq ?? 0}`
          : link.value === "lost"
            ? "disconnected"
            : "connecting"}
      </span>
      <button
        type="button"
        class="small"
        onClick={() => (paletteIsOpen.value = true)}
        aria-keyshortcuts="Control+K"
      >
        Go to … <kbd>Ctrl K</kbd>
      </button>
      <button type="button" class="small" onClick={turnTheme}>
        {theme.value === "dark" ? "Light" : "Dark"}
      </button>
    </header>
  );
}

/** Under a clock that runs, the time goes on between two messages. */
function MarketTime() {
  const tick = useSignal(Date.now());
  const here = standing.value;
  const runs = here !== null && here.clock !== "manual" && link.value === "live";
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => (tick.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, [runs]);
  if (here === null) return <span class="mono soft">…</span>;
  const at = Date.parse(here.marketTime) + (runs ? Math.max(0, tick.value - heardAt.value) : 0);
  return (
    <time class="mono" title={`Market time, clock ${here.clock}`}>
      {new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC
    </time>
  );
}

function Trouble() {
  if (link.value === "lost")
    return (
      <div class="banner" role="alert">
        The sandbox does not answer. This page comes back by itself when it does. If it was started again, it
        has another token: open the link that <code>gatewright serve</code> prints.
      </div>
    );
  const here = standing.value;
  if (here === null || here.mode === "running") return null;
  return (
    <div class="banner" role="alert">
      The venue is {here.mode}: {visible(here.trouble ?? "it takes no orders")}
    </div>
  );
}

const Notes = () => (
  <div class="notes" role="status" aria-live="polite">
    {notes.value
      .filter(({ text }) => text !== "")
      .map(({ id, kind, text }) => (
        <div key={id} class={`note ${kind}`}>
          <span>{visible(text)}</span>
          <button type="button" class="small" aria-label="Close this note" onClick={() => dismiss(id)}>
            ×
          </button>
        </div>
      ))}
  </div>
);

/** Without a token, or with an old one: where the link is. */
function Denied() {
  const enter = (event: SubmitEvent): void => {
    event.preventDefault();
    const given = String(new FormData(event.currentTarget as HTMLFormElement).get("token")).trim();
    token.value = /[#&]token=([^&]+)/.exec(given)?.[1] ?? given;
  };
  return (
    <main class="denied" id="content">
      <h1>This page needs the link of the sandbox</h1>
      <p>
        The console acts on the sandbox, so it asks for the control token of this start.{" "}
        <code>gatewright serve</code> prints a link that ends in <code>#token=…</code>: open that one. After a
        restart there is another.
      </p>
      <form class="row-form" onSubmit={enter}>
        <label class="wide">
          <span>The link, or the token</span>
          <input name="token" required autoComplete="off" spellcheck={false} />
        </label>
        <button type="submit" class="primary">
          Open
        </button>
      </form>
      <p class="soft">
        Without a token: the <a href="docs">API documentation</a> and the{" "}
        <a href="health">state of the venue</a>.
      </p>
    </main>
  );
}

effect(() => {
  // A world that has gone shows its first view again.
  if (standing.value !== null && !standing.value.worlds.includes(world.value)) world.value = "main";
});

follow();
const app = document.getElementById("app");
if (app !== null) render(<App />, app);
