/**
 * Snapshots become bytes. Those of the first layout go: no later program reads them, and the journal that they shorten
 * is complete without them.
 */
export const binarySnapshots = `
DROP TABLE snapshot;
CREATE TABLE snapshot (
  seq            INTEGER PRIMARY KEY,
  hash           BLOB NOT NULL,
  engine_version TEXT NOT NULL,
  checksum       BLOB NOT NULL,
  body           BLOB NOT NULL
) STRICT;
`;
