import { defaultsOf } from '../../api/configuration/entries.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { readConfiguration } from '../../notifiers/channels/configuration.ts';
import { keyOf } from '../configuration/kinds.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import type { Problem } from '../configuration/paths.ts';
import { KEPT } from '../configuration/placeholders.ts';
import type { Client } from './client.ts';
import { normalised } from './file-form.ts';
import type { CurrentObject } from './current-objects.ts';
import { keptPaths, secretTexts, valueAt, withValueAt } from './secret-values.ts';

/** A change of one value, as it is shown. */
export interface FieldChange {
  path: readonly string[];
  /** undefined for a creation */
  old?: unknown;
  new: unknown;
  /** whether the values must not be shown */
  isSecret: boolean;
}

/** The difference between a configured object and the object of the service. */
export interface Comparison {
  object: ConfiguredObject;
  current: CurrentObject | null;
  /** fields to send; empty if nothing changes */
  fields: Fields;
  changes: readonly FieldChange[];
  problems: readonly Problem[];
  needed: readonly string[];
  uncompared: number;
}

export interface CompareOptions {
  absentFields?: 'default' | 'unchanged';
  values?: Readonly<Record<string, string>>;
  writeSecrets?: boolean;
  secretTexts?: ReadonlySet<string>;
}

/** Compares an object with that of the service. Reads the value of a secret if the configuration has one. */
export const compare = async (
  client: Client,
  object: ConfiguredObject,
  found: CurrentObject | null,
  options: CompareOptions,
): Promise<Comparison> => {
  const { kind, path } = object;
  const current = found && { ...found, fields: await withSecretValue(client, object, found) };
  const problems: Problem[] = [];
  if (current && ['checks', 'channels'].includes(kind) && current.fields['type'] !== object.fields['type']) {
    const [old, other] = [current.fields['type'], object.fields['type']].map(String);
    const sentence = `The type cannot change from ${old ?? ''} to ${other ?? ''}. Give the new object another name.`;
    problems.push({ path: [...path, 'type'], sentence, isTypeConflict: true });
  }
  const filled = withKeptValues(object, current, options.values ?? {});
  const stored = storedFields({ ...object, fields: filled.fields }, current);
  problems.push(...filled.problems, ...stored.problems);
  const result = { object, current, problems, needed: filled.needed };
  if (problems.length > 0 || filled.needed.length > 0) return { ...result, fields: {}, changes: [], uncompared: 0 };
  if (!current) {
    return { ...result, fields: stored.fields, changes: changesOf(object, {}, stored.fields, options), uncompared: 0 };
  }
  const wanted =
    options.absentFields === 'unchanged' ? stored.fields : normalised(kind, { ...defaultsOf(kind), ...stored.fields });
  const visible = asVisible(object, wanted, current.fields);
  const compared = options.writeSecrets === true ? wanted : visible.fields;
  const changed = Object.keys(wanted).filter(
    (field) =>
      wanted[field] !== undefined && canonicalJson(compared[field]) !== canonicalJson(current.fields[field] ?? null),
  );
  // The components of a template are found by its page.
  const sent = kind === 'incident_templates' && changed.includes('components') ? [...changed, 'page'] : changed;
  const fields = Object.fromEntries(sent.map((field) => [field, wanted[field]]));
  const before = Object.fromEntries(changed.map((field) => [field, current.fields[field]]));
  const after = Object.fromEntries(changed.map((field) => [field, compared[field]]));
  return {
    ...result,
    fields,
    changes: changesOf(object, before, after, options),
    // Values of a field that is sent because of another difference are written, too.
    uncompared: visible.uncompared.filter((field) => !Object.hasOwn(fields, field) && options.writeSecrets !== true)
      .length,
  };
};

/** Returns the fields of an object of the service, with the value of a secret that a file can have. */
const withSecretValue = async (
  client: Client,
  { kind, fields }: ConfiguredObject,
  current: CurrentObject,
): Promise<Fields> => {
  if (kind !== 'secrets') return current.fields;
  if (fields['value'] === KEPT) return { ...current.fields, value: KEPT };
  const secret = await client.get(`/v1/secrets/${current.id}`);
  // A viewer does not see the value.
  const value = isFields(secret) ? (secret['secret_value'] ?? KEPT) : KEPT;
  return { ...current.fields, value };
};

/** Replaces `${kept}` by the value that the service shows, or by a given one. */
const withKeptValues = (
  { kind, fields, page, path }: ConfiguredObject,
  current: CurrentObject | null,
  values: Readonly<Record<string, string>>,
): { fields: Fields; problems: Problem[]; needed: string[] } => {
  const needed: string[] = [];
  let result = fields;
  for (const at of keptPaths(fields)) {
    const stored = current ? valueAt(current.fields, at) : undefined;
    const identity = (JSON.parse(keyOf(kind, fields, page)) as (string | null)[])
      .flat()
      .filter((part) => part !== null);
    const name = [kind, ...identity, at.join('.')].join('/');
    const value = typeof stored === 'string' ? stored : Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) needed.push(name);
    else result = withValueAt(result, at, value);
  }
  const misplaced = Object.keys(result).filter(
    (field) => needed.length === 0 && kind !== 'secrets' && JSON.stringify(result[field] ?? null).includes(KEPT),
  );
  const problems = misplaced.map((field) => ({
    path: [...path, field],
    sentence: `${KEPT} must be the whole text of a field, and cannot be in a list.`,
  }));
  return { fields: result, problems, needed };
};

/** Returns the fields as the service would store them. */
const storedFields = (
  { kind, fields, path }: ConfiguredObject,
  current: CurrentObject | null,
): { fields: Fields; problems: Problem[] } => {
  const normal = normalised(kind, fields);
  const { type, configuration } = normal;
  if (kind !== 'channels' || typeof type !== 'string' || type === 'statuspage') return { fields: normal, problems: [] };
  const previous = current?.fields['configuration'];
  const read = readConfiguration(type, configuration, isFields(previous) ? previous : null);
  if ('configuration' in read) return { fields: { ...normal, configuration: read.configuration }, problems: [] };
  const problems = Object.entries(read.problems).map(([field, sentences]) => ({
    path: [...path, ...field.split('.')],
    sentence: sentences.join(' '),
  }));
  return { fields: normal, problems };
};

/**
 * Replaces secret texts by what the service shows, where it shows something else than the text. `uncompared` has the field
 * of each.
 */
const asVisible = (
  { kind }: ConfiguredObject,
  wanted: Fields,
  current: Fields,
): { fields: Fields; uncompared: string[] } => {
  let fields = wanted;
  const uncompared: string[] = [];
  for (const { path, text, shownAs } of secretTexts(kind, wanted)) {
    const shown = valueAt(current, path);
    const isHidden = kind === 'secrets' ? shown === KEPT && text !== KEPT : typeof shown === 'string' && shown !== text;
    if (!isHidden || (kind !== 'secrets' && !shownAs.includes(shown as string))) continue;
    fields = withValueAt(fields, path, shown);
    uncompared.push(String(path[0]));
  }
  return { fields, uncompared };
};

/** Lists the values that differ, at any depth. */
const changesOf = (
  { kind, fields }: ConfiguredObject,
  before: Fields,
  after: Fields,
  { secretTexts: hidden = new Set() }: CompareOptions,
): FieldChange[] => {
  const type = fields['type'];
  const secrets = [before, after].flatMap((one) => secretTexts(kind, { type, ...one }).map(({ path }) => path));
  const containsSecret = (path: readonly string[]): boolean =>
    secrets.some((secret) => path.every((name, index) => secret[index] === name));
  const differences = (old: unknown, current: unknown, path: string[]): FieldChange[] => {
    if (canonicalJson(old ?? null) === canonicalJson(current ?? null)) return [];
    // A removed object is shown value by value, like an added one, so that the secret ones among the values stay hidden.
    if (isPart(old) && isPart(current) && [old, current].some((one) => Object.keys(one ?? {}).length > 0)) {
      const names = [...new Set([old, current].flatMap((one) => Object.keys(one ?? {})))];
      return names.flatMap((name) => differences(valueAt(old, [name]), valueAt(current, [name]), [...path, name]));
    }
    const isSecret = containsSecret(path) || [old, current].some((value) => containsAny(value, hidden));
    return [{ path, ...(old !== undefined && { old }), new: current, isSecret }];
  };
  return Object.keys(after).flatMap((name) => differences(before[name], after[name], [name]));
};

/** Whether a value is an object or absent. */
const isPart = (value: unknown): value is Fields | null | undefined => isFields(value) || (value ?? null) === null;

const containsAny = (value: unknown, texts: ReadonlySet<string>): boolean =>
  typeof value === 'string'
    ? texts.has(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((one) => containsAny(one, texts));
