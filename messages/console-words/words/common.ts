/** Texts that several screens share. */
export interface CommonWords {
  /** shown after the label of an optional field */
  optional: string;
  save: string;
  /** confirmation after saving */
  saved: string;
  create: string;
  cancel: string;
  edit: string;
  delete: string;
  add: string;
  remove: string;
  copy: string;
  copied: string;
  undo: string;
  back: string;
  more: string;
  yes: string;
  no: string;
  none: string;
  all: string;
  search: string;
  actions: string;
  name: string;
  description: string;
  created: string;
  changed: string;
  /** the unit of a duration */
  unit: string;
  units: Readonly<Record<'day' | 'hour' | 'minute' | 'second', string>>;
  /** label of the pagination, for screen readers */
  pages: string;
  previous: string;
  next: string;
  pageOf: (page: number, pages: number, items: number) => string;
  /** shown above the field where the user must type a name to confirm a deletion */
  typeName: (name: string) => string;
  nameDiffers: string;
  /** question to confirm before unsaved input is lost */
  leaveUnsaved: string;
  /** shown if another user has changed the object after it was loaded */
  changedMeanwhile: string;
  loadTheirs: string;
  saveAnyway: string;
  /** shown if the object was deleted or never existed */
  gone: string;
  goneText: string;
  /** badge of an object that a program maintains from files */
  managed: string;
  /** warning in the form of such an object */
  managedHint: string;
}
