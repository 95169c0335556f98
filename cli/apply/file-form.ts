import { ENTRY_SCHEMAS, type ObjectKind } from '../../api/configuration/entries.ts';
import { ALERT_RULE_DEFAULTS, withDefaults } from '../../domain/alert-rule/settings.ts';
import { checkTypeOf, isCheckType } from '../../domain/check/types/index.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { storedDomain, normalizedSubdomain } from '../../domain/page/names.ts';
import { isOrigin, storedOrigins } from '../../domain/page/origins.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { FullReference } from '../configuration/kinds.ts';
import type { Shown } from './resources.ts';

/** How an object is referred to, in its complete form. */
export interface Named extends FullReference {
  kind: ObjectKind;
  /** name of the page of a component or component group; null for other kinds */
  page: string | null;
}

/** Finds objects of the service by id. */
export type NameOf = (id: unknown) => Named | undefined;

/** Returns the fields of an object of the service as a file would have them, with complete references. */
export const fileForm = (kind: ObjectKind, shown: Shown, nameOf: NameOf): Fields => {
  const properties = Object.keys(ENTRY_SCHEMAS[kind].properties);
  const own = Object.fromEntries(Object.entries(shown).filter(([field]) => properties.includes(field)));
  return normalised(kind, { ...own, ...REFERENCES[kind]?.(shown, nameOf) });
};

const full = (named: Named | undefined): FullReference | null =>
  named ? { group: named.group, name: named.name } : null;

const nameIn = (id: unknown, nameOf: NameOf): string | null => nameOf(id)?.name ?? null;

const namesIn = (ids: unknown, nameOf: NameOf): string[] =>
  (ids as readonly string[]).flatMap((id) => nameOf(id)?.name ?? []);

/** Replace ids by names. */
const REFERENCES: Readonly<Partial<Record<ObjectKind, (shown: Shown, nameOf: NameOf) => Fields>>> = {
  checks: ({ group_id, secrets }, nameOf) => ({
    group: nameIn(group_id, nameOf),
    secrets: (secrets as { secret: { secret_name: string }; env_variable: string }[]).map(
      ({ secret, env_variable }) => ({ secret: secret.secret_name, env_variable }),
    ),
  }),
  components: ({ group_id, check_id }, nameOf) => ({
    group: nameIn(group_id, nameOf),
    check: full(nameOf(check_id)),
  }),
  channels: ({ type, configuration }, nameOf) => {
    if (type !== 'statuspage' || !isFields(configuration)) return {};
    const { page_id, component_id, ...others } = configuration;
    return {
      configuration: { ...others, page: nameIn(page_id, nameOf), component: full(nameOf(component_id)) },
    };
  },
  rules: ({ check_id, channel_ids }, nameOf) => ({
    check: full(nameOf(check_id)),
    channels: namesIn(channel_ids, nameOf),
  }),
  heartbeats: ({ channel_ids }, nameOf) => ({ channels: namesIn(channel_ids, nameOf) }),
  incident_templates: ({ page_id, components }, nameOf) => ({
    page: nameIn(page_id, nameOf),
    components: Object.entries(components as Fields).flatMap(([id, status]) => {
      const component = full(nameOf(id));
      return component ? [{ component, status }] : [];
    }),
  }),
};

/**
 * Returns fields as the service stores them, so that equal objects have equal fields. References must be complete.
 */
export const normalised = (kind: ObjectKind, fields: Fields): Fields => ({ ...fields, ...NORMAL[kind]?.(fields) });

const sorted = (list: unknown): unknown =>
  Array.isArray(list) ? [...(list as unknown[])].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1)) : list;

const distinct = (list: unknown): unknown => (Array.isArray(list) ? [...new Set(list as unknown[])] : list);

/** Returns a function that changes fields that are present. */
const changing =
  (changes: Readonly<Record<string, (value: unknown, fields: Fields) => unknown>>) =>
  (fields: Fields): Fields =>
    Object.fromEntries(
      Object.entries(changes).flatMap(([name, change]) =>
        fields[name] === undefined ? [] : [[name, change(fields[name], fields)]],
      ),
    );

const tags = (value: unknown): unknown => sorted(distinct(value));

/** Null for a field of the target that the type of the check does not use. */
const used =
  (field: 'url' | 'host') =>
  (value: unknown, { type }: Fields) =>
    typeof type === 'string' && isCheckType(type) && !(field in checkTypeOf(type).target) ? null : value;

const NORMAL: Readonly<Partial<Record<ObjectKind, (fields: Fields) => Fields>>> = {
  checks: changing({
    tags,
    url: used('url'),
    host: used('host'),
    secrets: sorted,
    // A null position of a check in a group means its present position.
    position: (value, { group }) => (typeof group === 'string' ? (value ?? undefined) : null),
  }),
  heartbeats: changing({
    tags,
    channels: (value) => sorted(distinct(value)),
    // The period of a heartbeat with a schedule is computed from the schedule.
    period_seconds: (value, { schedule }) => (typeof schedule === 'string' ? null : value),
  }),
  pages: changing({
    subdomain: (value) => normalizedSubdomain(String(value)),
    domain: (value) => (typeof value === 'string' ? storedDomain(value) : value),
    allow_embedding: (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string' && isOrigin(one))
        ? storedOrigins(value as string[])
        : value,
  }),
  rules: (fields) => {
    const { condition_parameters, multi_region_threshold } = withDefaults(
      { ...ALERT_RULE_DEFAULTS, name: '', channel_ids: [], condition: 'check_failed' } as never,
      fields,
    );
    return {
      ...changing({ channels: distinct })(fields),
      ...(fields['condition'] !== undefined && { condition_parameters, multi_region_threshold }),
    };
  },
  incident_templates: changing({ components: sorted }),
};
