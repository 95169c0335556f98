/** Filters of lists that have a name. */
export interface SavedViewsWords {
  title: string;
  /** the list without a filter */
  everything: string;
  /** says how to save the first one */
  none: string;
  save: string;
  saveTitle: string;
  manage: string;
  manageTitle: string;
  /** marks the view that a list opens with */
  byDefault: string;
  openWith: string;
  /** where they are kept */
  ofBrowser: string;
  deleted: string;
  /** what is wrong with a name */
  problems: Readonly<Record<'empty' | 'taken' | 'full', string>>;
}
