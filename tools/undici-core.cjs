/**
 * What the kit uses of undici. The package's own entry loads fetch, caches, mocks and WebSocket besides, and with them the
 * copy of undici that is inside Node: more time than all the rest of the kit takes to load.
 */
const { getGlobalDispatcher } = require("undici/lib/global.js");
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");

Object.assign(Dispatcher.prototype, require("undici/lib/api/index.js"));

exports.Client = require("undici/lib/dispatcher/client.js");
exports.Pool = require("undici/lib/dispatcher/pool.js");
exports.errors = require("undici/lib/core/errors.js");
exports.request = (address, options) => {
  const { origin, pathname, search } = new URL(address);
  return getGlobalDispatcher().request({ ...options, origin, path: pathname + search });
};
