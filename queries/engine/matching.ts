/** The matches of a filter. */
export interface FilterMatches {
  /** the first ones */
  ids: string[];
  /** the total number */
  total: number;
}
