import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import type { FieldChange } from './compare.ts';
import type { CurrentObject } from './current-objects.ts';

/** A change of one object. */
export interface Step {
  action: 'create' | 'change' | 'delete';
  kind: ObjectKind;
  /** name for people: `check "Shop"` */
  label: string;
  name: string;
  /** name of the page of a component or component group; null for other kinds */
  page: string | null;
  /** fields to send, as in files with complete references; empty for a deletion */
  fields: Fields;
  /** what is shown of the change */
  changes: readonly FieldChange[];
  /** what becomes of other objects because of a deletion, or which objects have the name of a new one */
  remark?: string;
  /** the object of the service; null for a creation */
  current: CurrentObject | null;
}
