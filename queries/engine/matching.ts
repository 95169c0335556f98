/** The matches of a filter. */
export interface Matching {
  /** the first ones */
  ids: string[];
  /** the total number */
  total: number;
}
