/** Texts of incident templates. */
export interface TemplateWords {
  new: string;
  name: string;
  nameHint: string;
  kind: string;
  kinds: Readonly<Record<'incident' | 'maintenance', string>>;
  allPages: string;
  /** option for leaving a field to the user of the template */
  leftOpen: string;
  useOn: (page: string) => string;
  none: string;
  deleteTitle: string;
}
