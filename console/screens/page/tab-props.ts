import type { Page } from './draft.ts';

/** A message that an action was completed, shown at the bottom of the window. */
export interface ActionNotice {
  text: string;
  undo?: () => void;
}

/** The props of every tab of a page. */
export interface TabProps {
  page: Page;
  /** called with the saved page */
  onSaved: (page: Page) => void;
  notify: (what: ActionNotice) => void;
}
