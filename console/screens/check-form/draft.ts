import { signal, type Signal } from '@preact/signals';
import type { Schemas } from '../../api/openapi.d.ts';
import { FIELDS, TARGETS, type CheckTypeName, type FieldSpec } from './fields.ts';
import { valueAt, type JsonObject } from './paths.ts';
import { readField, type FieldValue } from './values.ts';

/** A secret that scripts read through an environment variable. */
export interface Binding {
  secret_id: string;
  env_variable: string;
}

/**
 * How a check runs in several regions. `turn`: one region per run, in rotation; `all`: all regions; `random_n`: some
 * random regions.
 */
export type Parallel = 'turn' | 'all' | 'random_n';

/**
 * The check from which the form takes its initial values: an existing check, parts of a check that is being cloned, or
 * an empty object.
 */
export type Source = Partial<
  Pick<
    Schemas['Check'],
    | 'name'
    | 'active'
    | 'interval'
    | 'timeout'
    | 'host'
    | 'url'
    | 'port'
    | 'tags'
    | 'group_id'
    | 'muted_until'
    | 'managed_by'
  > & { parameters: JsonObject; secrets: readonly Binding[] }
> & { type: CheckTypeName };

/** The values of the form. */
export interface Draft {
  source: Source;
  type: Signal<CheckTypeName>;
  name: Signal<string>;
  active: Signal<boolean>;
  /** seconds */
  interval: Signal<number | null>;
  /** seconds */
  timeout: Signal<number | null>;
  url: Signal<string>;
  host: Signal<string>;
  port: Signal<number | null>;
  regions: Signal<readonly string[]>;
  parallel: Signal<Parallel>;
  /** number of regions picked at random */
  count: Signal<number | null>;
  tags: Signal<readonly string[]>;
  /** empty: no group */
  groupId: Signal<string>;
  mutedUntil: Signal<string | null>;
  secrets: Signal<readonly Binding[]>;
  /** parameters of all check types, by path. Switching to another type and back therefore loses no input */
  fields: ReadonlyMap<string, Signal<FieldValue>>;
}

const INTERVALS: Readonly<Record<CheckTypeName, number>> = {
  web: 60,
  api: 60,
  tcp: 60,
  ssl: 3_600,
  dns: 300,
  icmp: 60,
  portscan: 3_600,
  synthetic: 300,
  multistep: 300,
};

/** Returns the default interval and timeout of a check type, in seconds. */
export const defaultsOf = (type: CheckTypeName): { interval: number; timeout: number } => ({
  interval: INTERVALS[type],
  timeout: TARGETS[type].includes('url') && type !== 'web' && type !== 'api' ? 30 : 10,
});

const PARALLEL = 'parameters.multi_region_execution';

/** Returns how a check runs in several regions. */
export const parallelOf = (source: Source): { mode: Parallel; count: number | null } => {
  const count = valueAt(source, `${PARALLEL}.count`);
  const mode = valueAt(source, `${PARALLEL}.execution_mode`);
  return {
    mode: valueAt(source, `${PARALLEL}.enabled`) !== true ? 'turn' : mode === 'random_n' ? 'random_n' : 'all',
    count: typeof count === 'number' ? count : null,
  };
};

/** Returns the regions of a check. The check may name them by id or by alias. */
export const regionsOf = (source: Source): readonly string[] => {
  const regions = valueAt(source, 'parameters.regions');
  return Array.isArray(regions) ? regions.map(String) : [];
};

/** Returns the check's secret bindings. */
export const bindingsOf = (source: Source): readonly Binding[] =>
  (source.secrets ?? []).map(({ secret_id, env_variable }) => ({ secret_id, env_variable }));

export const draftOf = (source: Source): Draft => {
  const { interval, timeout } = defaultsOf(source.type);
  const { mode, count } = parallelOf(source);
  const fields = new Map<string, Signal<FieldValue>>();
  for (const field of FIELDS) {
    // If the fields of two types share a path, the field that belongs to the source's type determines the initial
    // value.
    if (!fields.has(field.path) || field.types.includes(source.type))
      fields.set(field.path, signal(readField(field, source)));
  }
  return {
    source,
    type: signal(source.type),
    name: signal(source.name ?? ''),
    active: signal(source.active ?? true),
    interval: signal<number | null>(source.interval ?? interval),
    timeout: signal<number | null>(source.timeout ?? timeout),
    url: signal(source.url ?? ''),
    host: signal(source.host ?? ''),
    port: signal<number | null>(source.port ?? null),
    regions: signal(regionsOf(source)),
    parallel: signal(mode),
    count: signal(count),
    tags: signal(source.tags ?? []),
    groupId: signal(source.group_id ?? ''),
    mutedUntil: signal<string | null>(source.muted_until ?? null),
    secrets: signal(bindingsOf(source)),
    fields,
  };
};

/** Changes the type. Interval and timeout change to the defaults of the new type, unless the user has set them. */
export const changeType = (draft: Draft, type: CheckTypeName): void => {
  const before = defaultsOf(draft.type.value);
  const after = defaultsOf(type);
  if (draft.interval.value === before.interval) draft.interval.value = after.interval;
  if (draft.timeout.value === before.timeout) draft.timeout.value = after.timeout;
  draft.type.value = type;
};

/** Returns the signal of a field. */
export const valueOf = (draft: Draft, { path }: FieldSpec): Signal<FieldValue> => {
  const value = draft.fields.get(path);
  if (!value) throw new Error(`There is no field ${path}.`);
  return value;
};
