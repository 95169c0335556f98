/** What the screen of tags says. */
export interface TagWords {
  tag: string;
  filter: string;
  /** how many tags are shown */
  matches: (count: number) => string;
  noMatch: string;
  empty: string;
  emptyText: string;
  checks: string;
  failing: string;
  heartbeats: string;
  late: string;
  /** not all tags are shown */
  more: (count: number) => string;
  rename: string;
  newName: string;
  rule: string;
  renameTitle: (tag: string) => string;
  renameText: string;
  removeTitle: (tag: string) => string;
  removeText: string;
  /** what has the tag */
  affected: (checks: number, heartbeats: number) => string;
  /** what names the tag and is not changed with it */
  kept: string;
  rules: (count: number) => string;
}
