/** The console: starts the page with the token of its link. */
import { options, render } from "preact";
import { App } from "./app.tsx";
import { followFeed } from "./lib/feed.ts";
import { startRouter } from "./lib/router.ts";
import { takeToken } from "./lib/session.ts";
import { startTheme } from "./lib/theme.ts";

// One paint a frame, however many messages come: everything that changed since the last frame is drawn at once.
options.debounceRendering = (draw) => void requestAnimationFrame(draw);

takeToken();
startTheme();
startRouter();
followFeed();
const root = document.getElementById("app");
if (root !== null) render(<App />, root);
