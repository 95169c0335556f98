/** Texts of the tags screen. */
export interface TagWords {
  tag: string;
  filter: string;
  /** the number of tags shown */
  matches: (count: number) => string;
  noMatch: string;
  empty: string;
  emptyText: string;
  checks: string;
  failing: string;
  heartbeats: string;
  late: string;
  /** shown if not all tags are listed */
  more: (count: number) => string;
  rename: string;
  newName: string;
  rule: string;
  renameTitle: (tag: string) => string;
  renameText: string;
  removeTitle: (tag: string) => string;
  removeText: string;
  /** the number of objects with the tag */
  affected: (checks: number, heartbeats: number) => string;
  /** heading for objects that refer to the tag but stay unchanged when the tag changes */
  kept: string;
  rules: (count: number) => string;
}
