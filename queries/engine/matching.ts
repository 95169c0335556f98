/** What a filter finds. */
export interface Matching {
  /** the first ones */
  ids: string[];
  /** how many there are in all */
  total: number;
}
