/**
 * The part of undici that the program uses: connections. The build takes it in the place of the whole, half of which is the
 * `fetch` that Node has.
 */
import api from "../node_modules/undici/lib/api/index.js";
import Dispatcher from "../node_modules/undici/lib/dispatcher/dispatcher.js";

// As its own entry does.
Object.assign(Dispatcher.prototype, api);

export { default as buildConnector } from "../node_modules/undici/lib/core/connect.js";
export { default as errors } from "../node_modules/undici/lib/core/errors.js";
export { default as Client } from "../node_modules/undici/lib/dispatcher/client.js";
export { default as Pool } from "../node_modules/undici/lib/dispatcher/pool.js";
