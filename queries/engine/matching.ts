/** The matches of a filter. */
export interface FilterMatches {
  /** Ids of the first matches. */
  ids: string[];
  /** Number of all matches. */
  total: number;
}
