/** Words that several screens use. */
export interface CommonWords {
  /** behind the label of a field that may be left empty */
  optional: string;
  save: string;
  /** what is shown once it is saved */
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
  /** of a duration */
  unit: string;
  units: Readonly<Record<'day' | 'hour' | 'minute' | 'second', string>>;
  /** of a list that is long, for screen readers */
  pages: string;
  previous: string;
  next: string;
  pageOf: (page: number, pages: number, items: number) => string;
  /** above the field where a name must be typed before something is deleted */
  typeName: (name: string) => string;
  nameDiffers: string;
  /** asked before something that is typed is lost */
  leaveUnsaved: string;
  /** somebody else has changed meanwhile what is being saved */
  changedMeanwhile: string;
  loadTheirs: string;
  saveAnyway: string;
  /** of something that was deleted, or never was */
  gone: string;
  goneText: string;
}
