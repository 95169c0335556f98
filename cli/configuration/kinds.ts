import type { ObjectKind } from '../../api/configuration/entries.ts';
import { isFields, type Fields } from '../../domain/fields.ts';

/** A reference to a check or component in its complete form. */
export interface FullReference {
  group: string | null;
  name: string;
}

/** How an object of a kind is identified. */
interface Identity {
  /** name of the kind in messages */
  noun: string;
  /** Returns the texts that identify an object together, with its page if it is part of one. */
  parts: (fields: Fields, page: string | null) => unknown[];
}

const byName = (noun: string): Identity => ({ noun, parts: ({ name }) => [name] });

export const IDENTITIES: Readonly<Record<ObjectKind, Identity>> = {
  secrets: byName('secret'),
  check_groups: byName('check group'),
  checks: { noun: 'check', parts: ({ group = null, name }) => [group, name] },
  pages: byName('page'),
  component_groups: { noun: 'component group', parts: ({ name }, page) => [page, name] },
  components: { noun: 'component', parts: ({ group = null, name }, page) => [page, group, name] },
  channels: byName('channel'),
  rules: { noun: 'rule', parts: ({ check = null, tag = null, name }) => [watched(check), watched(tag), name] },
  heartbeats: byName('heartbeat'),
  incident_templates: { noun: 'incident template', parts: ({ page = null, name }) => [page, name] },
};

/** Writes a reference as text. */
const watched = (reference: unknown): unknown =>
  isFields(reference) ? [reference['group'] ?? null, reference['name']] : reference;

/** Returns the key of an object, which is unique in its kind. */
export const keyOf = (kind: ObjectKind, fields: Fields, page: string | null = null): string =>
  JSON.stringify(IDENTITIES[kind].parts(fields, page));

/** Returns the name of an object for people: `check "Shop / Cart"`. */
export const labelOf = (kind: ObjectKind, fields: Fields, page: string | null = null): string => {
  const parts = IDENTITIES[kind]
    .parts(fields, page)
    .flat()
    .filter((part) => part !== null && part !== undefined);
  return `${IDENTITIES[kind].noun} "${parts.map(String).join(' / ')}"`;
};
