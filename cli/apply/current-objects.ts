import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import { labelOf } from '../configuration/kinds.ts';
import { fileForm, type Named, type NameOf } from './file-form.ts';
import { fileNames } from './file-names.ts';
import type { Shown } from './resources.ts';

/** An object of the service. */
export interface CurrentObject {
  kind: ObjectKind;
  id: string;
  /** null if the kind has no revisions */
  revision: number | null;
  managedBy: string | null;
  page: string | null;
  pageId: string | null;
  /** fields as in files. An object whose key occurs several times has its original name here */
  fields: Fields;
  /** name of the object in exports: `Shop (2)` if an older object has the same key */
  name: string;
  label: string;
  created: string;
}

/** Returns all objects of a kind, oldest first. Objects with the same key get numbered names. */
export const currentObjects = (kind: ObjectKind, shown: readonly Shown[], nameOf: NameOf): CurrentObject[] => {
  const all = shown.map((object) => {
    const { page_id, revision, managed_by } = object;
    const isPart = kind === 'components' || kind === 'component_groups';
    return {
      object,
      fields: fileForm(kind, object, nameOf),
      page: isPart ? (nameOf(page_id)?.name ?? null) : null,
      pageId: isPart ? String(page_id) : null,
      revision: typeof revision === 'number' ? revision : null,
      managedBy: typeof managed_by === 'string' ? managed_by : null,
    };
  });
  const names = fileNames(kind, all);
  return all.map(({ object, fields, page, ...others }, n) => {
    const name = names[n] ?? object.name;
    return {
      kind,
      id: object.id,
      fields,
      page,
      ...others,
      name,
      label: labelOf(kind, { ...fields, name }, page),
      created: String(object['created_at']),
    };
  });
};

/** Returns how other objects refer to an object. */
export const namedAs = (kind: ObjectKind, fields: Fields, name: string, page: string | null): Named => {
  const { group } = fields;
  return { kind, name, group: typeof group === 'string' ? group : null, page };
};
