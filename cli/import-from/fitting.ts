import { OBJECT_KINDS, type ObjectKind } from '../../api/configuration/entries.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import type { Client } from '../apply/client.ts';
import { planConfiguration, type Plan, type PlanOptions } from '../apply/plan.ts';
import { IDENTITIES, labelOf } from '../configuration/kinds.ts';
import type { Configuration, NamedEntry, PageEntry, Reference } from '../configuration/model.ts';
import { InvalidConfiguration, pathText, type Problem } from '../configuration/paths.ts';
import { cut, MAX_NAME } from './naming.ts';

/**
 * Plans a configuration whose entries may not fit the service. An entry with the key of an object of another type is
 * renamed. Another entry with a problem is left out with what needs it. Everything else is planned.
 *
 * @returns the plan, and sentences on entries that were renamed or left out
 * @throws OperatorError the service cannot be read
 */
export const planFitting = async (
  client: Client,
  configuration: Configuration,
  options: PlanOptions,
): Promise<{ plan: Plan; remarks: string[] }> => {
  const renamed: Renamed = new Map();
  const left: string[] = [];
  let fitting = configuration;
  for (;;) {
    try {
      const plan = await planConfiguration(client, fitting, options);
      return { plan, remarks: [...[...renamed.values()].map(sentenceOf), ...left] };
    } catch (error) {
      if (!(error instanceof InvalidConfiguration)) throw error;
      const conflicts = error.problems.filter(({ isTypeConflict }) => isTypeConflict === true);
      const entries = error.problems.map(({ path }) => entryAt(fitting, path));
      if (entries.some((entry) => entry === null)) throw error;
      // The problems of the others are found again.
      fitting =
        conflicts.length > 0
          ? withOtherNames(fitting, conflicts, renamed)
          : withoutEntries(fitting, error.problems, left);
    }
  }
};

/** Kinds whose objects have types. */
type TypedKind = 'checks' | 'channels';

interface Rename {
  label: string;
  noun: string;
  /** the name in the other product */
  original: string;
  name: string;
  number: number;
}

/** Entries that were renamed, by the key that they have now. */
type Renamed = Map<string, Rename>;

const sentenceOf = ({ label, noun, name }: Rename): string =>
  `${label} has the name of a ${noun} of another type, which exists already. It is imported as "${name}".`;

/** An entry of a configuration. */
interface Entry {
  kind: ObjectKind;
  value: unknown;
  /** name of the page of a component or component group */
  page: string | null;
  /** the part of the path below the entry */
  below: Problem['path'];
  key: string;
}

const isKind = (part: unknown): part is ObjectKind => (OBJECT_KINDS as readonly unknown[]).includes(part);

const entryAt = (configuration: Configuration, path: Problem['path']): Entry | null => {
  const [kind, index, part, inner, ...below] = path;
  if (!isKind(kind) || typeof index !== 'number') return null;
  const value = (configuration as Fields)[kind] as readonly unknown[];
  const entry = value[index];
  if (kind === 'pages' && isKind(part) && typeof inner === 'number' && isFields(entry)) {
    const parts = entry[part] as readonly unknown[];
    const page = String(entry['name']);
    return { kind: part, value: parts[inner], page, below, key: pathText([kind, index, part, inner]) };
  }
  return { kind, value: entry, page: null, below: path.slice(2), key: pathText([kind, index]) };
};

const titleOf = ({ kind, value, page }: Entry): string =>
  isFields(value) && typeof value['name'] === 'string'
    ? labelOf(kind, value, page)
    : `${IDENTITIES[kind].noun} without a name`;

const withOtherNames = (
  configuration: Configuration,
  conflicts: readonly Problem[],
  renamed: Renamed,
): Configuration => {
  const changed: Record<TypedKind, Map<number, string>> = { checks: new Map(), channels: new Map() };
  const taken = new Set(
    (['checks', 'channels'] as const).flatMap((kind) => (configuration[kind] ?? []).map((entry) => keyIn(kind, entry))),
  );
  for (const { path } of conflicts) {
    const [kind, index] = path as [TypedKind, number];
    const entry = (configuration[kind] ?? [])[index];
    if (!entry) continue;
    const at = keyIn(kind, entry);
    const noun = IDENTITIES[kind].noun;
    const before = renamed.get(at) ?? { label: labelOf(kind, entry), noun, original: entry.name, name: '', number: 1 };
    let { number, name } = before;
    do {
      number += 1;
      const suffix = ` (${number})`;
      name = `${cut(before.original, MAX_NAME - suffix.length)}${suffix}`;
    } while (taken.has(keyIn(kind, { ...entry, name })));
    taken.add(keyIn(kind, { ...entry, name }));
    renamed.delete(at);
    renamed.set(keyIn(kind, { ...entry, name }), { ...before, name, number });
    changed[kind].set(index, name);
  }
  return withReferences(configuration, changed);
};

const keyIn = (kind: TypedKind, { name, group = null }: NamedEntry & { group?: unknown }): string =>
  JSON.stringify([kind, kind === 'checks' ? group : null, name]);

/** Renames entries, and the references to them. */
const withReferences = (
  configuration: Configuration,
  changed: Readonly<Record<TypedKind, ReadonlyMap<number, string>>>,
): Configuration => {
  const { checks = [], channels = [], rules, heartbeats, pages } = configuration;
  const checkOf = (reference: Reference | null | undefined): Reference | null | undefined => {
    const index = checks.findIndex(({ name, group = null }) =>
      isFields(reference) ? reference['name'] === name && (reference['group'] ?? null) === group : reference === name,
    );
    const name = changed.checks.get(index);
    return name === undefined ? reference : { group: checks[index]?.group ?? null, name };
  };
  const channelOf = (reference: string): string =>
    changed.channels.get(channels.findIndex(({ name }) => name === reference)) ?? reference;
  const named = <T extends NamedEntry>(entries: readonly T[], names: ReadonlyMap<number, string>): T[] =>
    entries.map((entry, index) => ({ ...entry, name: names.get(index) ?? entry.name }));
  const watching = <T extends { check?: Reference | null }>(entry: T): T => {
    const check = checkOf(entry.check);
    return check === undefined ? entry : { ...entry, check };
  };
  return {
    ...configuration,
    ...(configuration.checks && { checks: named(checks, changed.checks) }),
    ...(configuration.channels && { channels: named(channels, changed.channels) }),
    ...(rules && { rules: rules.map((rule) => ({ ...watching(rule), channels: rule.channels.map(channelOf) })) }),
    ...(heartbeats && {
      heartbeats: heartbeats.map((one) => ({ ...one, ...(one.channels && { channels: one.channels.map(channelOf) }) })),
    }),
    ...(pages && {
      pages: pages.map((page): PageEntry => ({
        ...page,
        ...(page.components && { components: page.components.map(watching) }),
      })),
    }),
  };
};

/** Removes the entries with problems; of a missing channel, only the reference, if the entry does not need it. */
const withoutEntries = (configuration: Configuration, problems: readonly Problem[], left: string[]): Configuration => {
  const found = new Map<string, { entry: Entry; problems: string[]; channels: Set<number>; isNeeded: boolean }>();
  for (const { path, sentence } of problems) {
    const entry = entryAt(configuration, path);
    if (!entry) continue;
    const one = found.get(entry.key) ?? { entry, problems: [], channels: new Set(), isNeeded: false };
    found.set(entry.key, one);
    const [field, index] = entry.below;
    if (field === 'channels' && typeof index === 'number') {
      one.channels.add(index);
      one.problems.push(sentence);
    } else {
      one.isNeeded = true;
      one.problems.push(`${entry.below.length === 0 ? '' : `${pathText(entry.below)}: `}${sentence}`);
    }
  }
  const fitted = (value: unknown, key: string): unknown[] => {
    const one = found.get(key);
    if (!one) return [value];
    const channels = isFields(value) && Array.isArray(value['channels']) ? (value['channels'] as unknown[]) : [];
    const others = channels.filter((_, index) => !one.channels.has(index));
    const isKept = !one.isNeeded && isFields(value) && (others.length > 0 || one.entry.kind === 'heartbeats');
    const reason = one.problems.join(' ');
    left.push(`${titleOf(one.entry)} ${isKept ? 'lacks a channel' : 'is left out'}: ${reason}`);
    return isKept ? [{ ...value, channels: others }] : [];
  };
  const listed = (container: object, path: string): Fields =>
    Object.fromEntries(
      Object.entries(container).map(([kind, list]: [string, unknown]) => [
        kind,
        !isKind(kind) || !Array.isArray(list)
          ? list
          : list.flatMap((value: unknown, index) => {
              const key = `${path}${kind}[${index}]`;
              return fitted(value, key).map((fit) =>
                kind === 'pages' && isFields(fit) ? listed(fit, `${key}.`) : fit,
              );
            }),
      ]),
    );
  return listed(configuration, '');
};
