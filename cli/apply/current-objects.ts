import type { ObjectKind } from '../../api/configuration/entries.ts';
import type { Fields } from '../../domain/fields.ts';
import { keyOf, labelOf } from '../configuration/kinds.ts';
import { fileForm, type Named, type NameOf } from './file-form.ts';
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
  const keys = new Set<string>();
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
  const given = new Set(all.map(({ fields, page }) => keyOf(kind, fields, page)));
  return all.map(({ object, fields, page, ...others }) => {
    let named = fields;
    for (let n = 2; keys.has(keyOf(kind, named, page)); n++) {
      const numbered = { ...fields, name: `${object.name} (${n})` };
      // A numbered name must not be that of another object.
      if (!given.has(keyOf(kind, numbered, page))) named = numbered;
    }
    keys.add(keyOf(kind, named, page));
    return {
      kind,
      id: object.id,
      fields,
      page,
      ...others,
      name: String(named['name']),
      label: labelOf(kind, named, page),
      created: String(object['created_at']),
    };
  });
};

/** Returns how other objects refer to an object. */
export const namedAs = (kind: ObjectKind, fields: Fields, name: string, page: string | null): Named => {
  const { group } = fields;
  return { kind, name, group: typeof group === 'string' ? group : null, page };
};
