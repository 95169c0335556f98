/** What the screens of check groups say. */
export interface GroupWords {
  new: string;
  empty: string;
  emptyText: string;
  /** how many checks a group has */
  checks: (count: number) => string;
  ungrouped: string;
  pausedGroup: string;
  moveUp: string;
  moveDown: string;
  drag: string;
  /** said to screen readers after a move */
  moved: (name: string, place: number, count: number) => string;
  color: string;
  noColor: string;
  otherColor: string;
  active: string;
  activeHint: string;
  deleteTitle: string;
  deleteText: (checks: string) => string;
}
