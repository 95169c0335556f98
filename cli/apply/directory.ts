import type { ObjectKind } from '../../api/configuration/entries.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { IDENTITIES, type FullReference } from '../configuration/kinds.ts';
import type { Path, Problem } from '../configuration/paths.ts';
import type { Named } from './file-form.ts';

/** All objects that others can refer to: those of the files and those of the service. */
export interface Directory {
  /**
   * Adds an object. An object that will be created is added again once it exists.
   *
   * @param id null if the object does not exist yet
   * @param isConfigured whether the files contain the object, so that its name means this object rather than others
   */
  add: (named: Named, id: string | null, isConfigured: boolean) => void;
  /** Returns the complete reference, or a sentence about why there is none. */
  resolve: (kind: ObjectKind, reference: unknown, page: string | null) => FullReference | string;
  /** Returns the name of the object with an id. */
  nameOf: (id: unknown) => Named | undefined;
  /** Returns the id of an object; null if it does not exist. */
  idOf: (kind: ObjectKind, reference: unknown, page: string | null) => string | null;
}

export const createDirectory = (): Directory => {
  const ids = new Map<string, string | null>();
  const names = new Map<string, Named[]>();
  const configured = new Map<string, Named[]>();
  const byId = new Map<unknown, Named>();
  const keyOf = ({ kind, page, group, name }: Named): string => JSON.stringify([kind, page, group, name]);
  const nameKey = (kind: ObjectKind, page: string | null, name: unknown): string => JSON.stringify([kind, page, name]);

  const complete = (kind: ObjectKind, reference: unknown, page: string | null): Named[] => {
    if (!isFields(reference)) {
      const key = nameKey(kind, page, reference);
      return configured.get(key) ?? names.get(key) ?? [];
    }
    const { group = null, name } = reference;
    const named = { kind, page, group, name } as Named;
    return ids.has(keyOf(named)) ? [named] : [];
  };

  return {
    add: (named, id, isConfigured) => {
      const key = keyOf(named);
      if (!ids.has(key)) {
        const lists = isConfigured ? configured : names;
        const name = nameKey(named.kind, named.page, named.name);
        lists.set(name, [...(lists.get(name) ?? []), named]);
      }
      ids.set(key, id);
      if (id !== null) byId.set(id, named);
    },
    resolve: (kind, reference, page) => {
      const [found, ...others] = complete(kind, reference, page);
      const { noun } = IDENTITIES[kind];
      const text = isFields(reference) ? JSON.stringify(reference) : `"${String(reference)}"`;
      if (!found) return `No ${noun}${page === null ? '' : ` of the page "${page}"`} is named ${text}.`;
      if (others.length > 0) return `Several ${noun}s are named ${text}. Refer to one by { group: …, name: … }.`;
      return { group: found.group, name: found.name };
    },
    nameOf: (id) => byId.get(id),
    idOf: (kind, reference, page) => {
      const [found] = complete(kind, reference, page);
      return found ? (ids.get(keyOf(found)) ?? null) : null;
    },
  };
};

/** A reference in the fields of an object. */
interface ReferencePlace {
  path: readonly (string | number)[];
  kind: ObjectKind;
  /** the page whose component is meant; undefined: the reference names no component */
  page?: unknown;
  /** whether the reference has the form `{ group, name }` in its complete form */
  isFull: boolean;
}

const single = (fields: Fields, name: string, kind: ObjectKind, isFull = false): ReferencePlace[] =>
  fields[name] === undefined || fields[name] === null ? [] : [{ path: [name], kind, isFull }];

const listed = (
  list: unknown,
  path: (index: number) => ReferencePlace['path'],
  others: Omit<ReferencePlace, 'path'>,
) => (Array.isArray(list) ? list.map((_, index): ReferencePlace => ({ path: path(index), ...others })) : []);

const PLACES: Readonly<Partial<Record<ObjectKind, (fields: Fields) => ReferencePlace[]>>> = {
  checks: (fields) => [
    ...single(fields, 'group', 'check_groups'),
    ...listed(fields['secrets'], (n) => ['secrets', n, 'secret'], { kind: 'secrets', isFull: false }),
  ],
  components: (fields) => [...single(fields, 'group', 'component_groups'), ...single(fields, 'check', 'checks', true)],
  channels: ({ type, configuration }) => {
    if (type !== 'statuspage' || !isFields(configuration)) return [];
    const page: unknown = configuration['page'];
    return [
      { path: ['configuration', 'page'], kind: 'pages', isFull: false },
      { path: ['configuration', 'component'], kind: 'components', page, isFull: true },
    ];
  },
  rules: (fields) => [
    ...single(fields, 'check', 'checks', true),
    ...listed(fields['channels'], (n) => ['channels', n], { kind: 'channels', isFull: false }),
  ],
  heartbeats: ({ channels }) => listed(channels, (n) => ['channels', n], { kind: 'channels', isFull: false }),
  incident_templates: (fields) => [
    ...single(fields, 'page', 'pages'),
    ...listed(fields['components'], (n) => ['components', n, 'component'], {
      kind: 'components',
      page: fields['page'],
      isFull: true,
    }),
  ],
};

/** Completes the references in the fields of an object. @param path path of the object, for problems */
export const withFullReferences = (
  { kind, fields, page, path }: { kind: ObjectKind; fields: Fields; page: string | null; path: Path },
  directory: Directory,
): { fields: Fields; problems: Problem[] } => {
  const places = PLACES[kind]?.(fields) ?? [];
  if (places.length === 0) return { fields, problems: [] };
  const copy = structuredClone(fields);
  const problems: Problem[] = [];
  for (const place of places) {
    const parent = place.path.slice(0, -1).reduce<Fields>((part, name) => part[name] as Fields, copy);
    const last = place.path.at(-1) ?? '';
    const of = place.kind === 'component_groups' ? page : typeof place.page === 'string' ? place.page : null;
    const found = directory.resolve(place.kind, parent[last], of);
    if (typeof found === 'string') problems.push({ path: [...path, ...place.path], sentence: found });
    else parent[last] = place.isFull ? found : found.name;
  }
  return { fields: copy, problems };
};
