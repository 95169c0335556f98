/**
 * Names of the counts of counting.ts, in the order of its messages. They are followed by one count for each collection.
 */
export const SLOTS = [
  /** transactions of read models that wrote documents */
  'commits',
  /** transactions of read models that wrote only the position in the log */
  'positionCommits',
  /** transactions of logs, coordination and keys, except read-only ones */
  'otherCommits',
  /** single documents requested by a reader */
  'documents',
  /** queries of the projection engine on documents, while it folds */
  'searches',
] as const;

/** Name of the environment variable that contains the names of the collections, separated by commas. */
export const COLLECTIONS = 'WEIGHT_COLLECTIONS';
