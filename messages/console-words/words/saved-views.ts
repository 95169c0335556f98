/** Texts of saved views, which are named filters of lists. */
export interface SavedViewsWords {
  title: string;
  /** name of the list without a filter */
  everything: string;
  /** explains how to save the first view */
  none: string;
  save: string;
  saveTitle: string;
  manage: string;
  manageTitle: string;
  /** marks the view that is shown when the list is opened */
  byDefault: string;
  openWith: string;
  /** says where views are stored */
  ofBrowser: string;
  deleted: string;
  /** error messages for the name of a view */
  problems: Readonly<Record<'empty' | 'taken' | 'full', string>>;
}
