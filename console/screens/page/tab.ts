import type { Page } from './draft.ts';

/** What was done, said at the lower edge. */
export interface Said {
  text: string;
  undo?: () => void;
}

/** What every tab of a page gets. */
export interface TabProps {
  page: Page;
  /** the page was saved, and is like this now */
  onSaved: (page: Page) => void;
  say: (what: Said) => void;
}
