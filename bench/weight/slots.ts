/** Names of the counts of counting.ts, in the order of its messages; after them, one number for each collection. */
export const SLOTS = [
  /** transactions of read models that wrote documents */
  'commits',
  /** those of them that wrote only their position in the log */
  'positionCommits',
  /** transactions of logs, coordination and keys that wrote anything */
  'otherCommits',
  /** single documents requested by a reader */
  'documents',
  /** queries of the engine on its own documents, while it folds */
  'searches',
] as const;

/** The environment variable with the names of the collections, separated by commas. */
export const COLLECTIONS = 'WEIGHT_COLLECTIONS';
