import { Document, visit } from 'yaml';
import { CONFIGURATION_SCHEMA_PATH } from '../../api/configuration/document.ts';
import {
  defaultsOf,
  ENTRY_SCHEMAS,
  OBJECT_KINDS,
  PARTS_OF_PAGE,
  type ObjectKind,
} from '../../api/configuration/entries.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { grouped } from '../../domain/grouped.ts';
import { readConfiguration } from '../../notifiers/channels/configuration.ts';
import { escapedLines } from '../../service/output.ts';
import { keyOf } from '../configuration/kinds.ts';
import { escapeVariables, KEPT } from '../configuration/placeholders.ts';
import type { Client } from './client.ts';
import { createDirectory, type Directory } from './directory.ts';
import { currentObjects, namedAs, type CurrentObject } from './current-objects.ts';
import { readResources } from './resources.ts';
import { withoutSecrets } from './secret-values.ts';

/**
 * Returns the configuration of a service as YAML, in a stable order. Fields with their default are left out, and `${kept}`
 * replaces secret values.
 *
 * @param forTerminal whether texts with unseen characters are quoted, so that the lines remain the same YAML after
 *   `escaped` (service/output.ts) has replaced these characters
 */
export const exportConfiguration = async (
  client: Client,
  { forTerminal = false }: { forTerminal?: boolean } = {},
): Promise<string> => {
  const shown = await readResources(client, new Set(OBJECT_KINDS));
  const directory = createDirectory();
  const objects = new Map<ObjectKind, CurrentObject[]>();
  for (const kind of OBJECT_KINDS) {
    const current = currentObjects(kind, shown.get(kind) ?? [], directory.nameOf);
    for (const object of current) {
      directory.add(namedAs(kind, object.fields, object.name, object.page), object.id, true);
    }
    objects.set(kind, withPositions(kind, inOrder(kind, current, objects)));
  }
  const configuration = Object.fromEntries(
    OBJECT_KINDS.filter((kind) => !isPart(kind)).flatMap((kind) => {
      const entries = (objects.get(kind) ?? []).map((object) => entryOf(object, objects, directory));
      return entries.length > 0 ? [[kind, entries]] : [];
    }),
  );
  // Aliases would make the file harder to read and edit.
  const document = new Document(configuration, { version: '1.2', aliasDuplicateObjects: false });
  if (forTerminal) quoteUnseen(document);
  document.commentBefore = ` yaml-language-server: $schema=${client.server}${CONFIGURATION_SCHEMA_PATH}`;
  return document.toString({ lineWidth: 0 }).replace(/^(#[^\n]*\n)\n/, '$1');
};

/** Writes texts with unseen characters in double quotes, where YAML has the escapes of JavaScript. */
const quoteUnseen = (document: Document): void => {
  visit(document, {
    Scalar: (_, node) => {
      const { value } = node;
      if (typeof value === 'string' && escapedLines(value) !== value) node.type = 'QUOTE_DOUBLE';
    },
  });
};

const isPart = (kind: ObjectKind): boolean => (PARTS_OF_PAGE as readonly ObjectKind[]).includes(kind);

const positionOf = ({ fields }: CurrentObject): number =>
  typeof fields['position'] === 'number' ? fields['position'] : 0;

/** Sorts by group, position, name and key. */
const inOrder = (
  kind: ObjectKind,
  current: readonly CurrentObject[],
  others: ReadonlyMap<ObjectKind, readonly CurrentObject[]>,
): CurrentObject[] => {
  const groups = others.get(kind === 'checks' ? 'check_groups' : 'component_groups') ?? [];
  const ranks = new Map(groups.map(({ page, name }, index) => [JSON.stringify([page, name]), index + 1]));
  const rank = ({ fields, page }: CurrentObject): number => ranks.get(JSON.stringify([page, fields['group']])) ?? 0;
  const key = ({ fields, name, page }: CurrentObject): string => keyOf(kind, { ...fields, name }, page);
  return [...current].sort(
    (a, b) =>
      rank(a) - rank(b) || positionOf(a) - positionOf(b) || compared(a.name, b.name) || compared(key(a), key(b)),
  );
};

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/**
 * Removes the positions that objects get by themselves when they are created in the order of the file: each goes to the
 * end of its siblings.
 */
const withPositions = (kind: ObjectKind, objects: readonly CurrentObject[]): CurrentObject[] => {
  if (!('position' in ENTRY_SCHEMAS[kind].properties)) return [...objects];
  // Components outside of groups are siblings of the groups, which are in another list.
  const isMixed = ({ fields }: CurrentObject): boolean =>
    kind === 'component_groups' || (kind === 'components' && typeof fields['group'] !== 'string');
  const siblings = grouped(objects, ({ page, fields }) => JSON.stringify([page, fields['group'] ?? null]));
  const plain = new Set<CurrentObject>();
  for (const list of siblings.values()) {
    let end = 0;
    for (const object of list) {
      if (positionOf(object) === end + 1 && !isMixed(object)) plain.add(object);
      end = Math.max(end, positionOf(object));
    }
  }
  return objects.map((object) => {
    const { position, ...fields } = object.fields;
    const isNeeded = typeof position === 'number' && !plain.has(object);
    return isNeeded ? object : { ...object, fields };
  });
};

/** Returns the entry of an object in the file. */
const entryOf = (
  object: CurrentObject,
  objects: ReadonlyMap<ObjectKind, readonly CurrentObject[]>,
  directory: Directory,
): Fields => {
  const { kind, name } = object;
  const fields = withShortConfiguration(kind, {
    ...object.fields,
    name,
    ...(kind === 'secrets' && { value: KEPT }),
  });
  const defaults = defaultsOf(kind);
  const kept = withoutSecrets(kind, fields);
  const order = ['name', 'type', 'group', 'check', ...Object.keys(ENTRY_SCHEMAS[kind].properties)];
  const entries = [...new Set(order)].flatMap((field): [string, unknown][] => {
    const value = kept[field];
    const isDefault = field in defaults && canonicalJson(value) === canonicalJson(defaults[field]);
    return value === undefined || isDefault
      ? []
      : [[field, escapedTexts(shortened(kind, field, value, kept, directory))]];
  });
  const parts = kind === 'pages' ? partsOf(object, objects, directory) : [];
  return Object.fromEntries([...entries, ...parts]);
};

const partsOf = (
  page: CurrentObject,
  objects: ReadonlyMap<ObjectKind, readonly CurrentObject[]>,
  directory: Directory,
): [string, unknown][] =>
  PARTS_OF_PAGE.flatMap((kind): [string, unknown][] => {
    const own = (objects.get(kind) ?? []).filter(({ pageId }) => pageId === page.id);
    return own.length > 0 ? [[kind, own.map((part) => entryOf(part, objects, directory))]] : [];
  });

/** Removes the settings of a channel that its type adds by itself. */
const withShortConfiguration = (kind: ObjectKind, fields: Fields): Fields => {
  const { type, configuration } = fields;
  if (kind !== 'channels' || typeof type !== 'string' || !isFields(configuration)) return fields;
  const short = Object.entries(configuration).filter(([name, value]) => {
    const others = Object.fromEntries(Object.entries(configuration).filter(([other]) => other !== name));
    const read = readConfiguration(type, others, configuration);
    return !('configuration' in read) || canonicalJson(read.configuration[name]) !== canonicalJson(value);
  });
  return { ...fields, configuration: Object.fromEntries(short) };
};

/** Replaces references that have only one meaning by the name. */
const shortened = (kind: ObjectKind, field: string, value: unknown, fields: Fields, directory: Directory): unknown => {
  const short = (of: ObjectKind, reference: unknown, page: unknown = null): unknown => {
    if (!isFields(reference)) return reference;
    const found = directory.resolve(of, reference['name'], typeof page === 'string' ? page : null);
    return typeof found === 'string' ? reference : reference['name'];
  };
  if (field === 'check') return short('checks', value);
  if (kind === 'channels' && field === 'configuration' && isFields(value) && 'component' in value) {
    return { ...value, component: short('components', value['component'], value['page']) };
  }
  if (kind === 'incident_templates' && field === 'components' && Array.isArray(value)) {
    return (value as Fields[]).map((one) => ({
      ...one,
      component: short('components', one['component'], fields['page']),
    }));
  }
  return value;
};

const escapedTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeVariables(value);
  if (Array.isArray(value)) return value.map(escapedTexts);
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, escapedTexts(one)]));
};
