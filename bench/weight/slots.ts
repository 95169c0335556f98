/** Names of what counting.ts counts, in the order in which it answers; after them, one number for each collection. */
export const SLOTS = [
  /** transactions of read models that wrote something */
  'commits',
  /** those of them that wrote nothing but their position in the log */
  'positionCommits',
  /** transactions of logs, of the coordination and of keys that wrote something */
  'otherCommits',
  /** single documents that a reader asked for */
  'documents',
  /** queries of the engine over its own documents, while it folds */
  'searches',
] as const;

/** The environment variable that has the names of the collections, with commas between them. */
export const COLLECTIONS = 'WEIGHT_COLLECTIONS';
