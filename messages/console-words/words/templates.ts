/** Words of incident templates. */
export interface TemplateWords {
  new: string;
  name: string;
  nameHint: string;
  kind: string;
  kinds: Readonly<Record<'incident' | 'maintenance', string>>;
  allPages: string;
  /** of a choice: whoever uses the template chooses */
  leftOpen: string;
  useOn: (page: string) => string;
  none: string;
  deleteTitle: string;
}
