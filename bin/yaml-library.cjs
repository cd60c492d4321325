/**
 * The YAML library for the process that reads files (conformance/parse/yaml-process.ts), out of a bundle of its own.
 */
const path = require("node:path");
const { loadBundle } = require("./load-bundle.cjs");

module.exports = loadBundle(path.join(__dirname, "..", "dist", "yaml.cjs")).exports;
