/** Texts of the check group screens. */
export interface GroupWords {
  new: string;
  empty: string;
  emptyText: string;
  /** the number of checks in a group */
  checks: (count: number) => string;
  ungrouped: string;
  pausedGroup: string;
  moveUp: string;
  moveDown: string;
  drag: string;
  /** announced to screen readers after a move */
  moved: (name: string, place: number, count: number) => string;
  color: string;
  noColor: string;
  otherColor: string;
  active: string;
  activeHint: string;
  deleteTitle: string;
  deleteText: (checks: string) => string;
}
