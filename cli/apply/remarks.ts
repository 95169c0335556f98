import type { ObjectKind } from '../../api/configuration/entries.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { isFields } from '../../domain/fields.ts';
import type { ConfiguredObject } from '../configuration/objects.ts';
import type { Client } from './client.ts';
import type { CurrentObject } from './current-objects.ts';
import type { Step } from './step.ts';

/** An object of the service, and the object of the files that it becomes; null if the files do not contain it. */
export interface Pair {
  current: CurrentObject;
  object: ConfiguredObject | null;
}

/** The kinds of objects in groups. */
const MEMBERS: Readonly<Partial<Record<ObjectKind, { kind: ObjectKind; noun: string }>>> = {
  check_groups: { kind: 'checks', noun: 'check' },
  component_groups: { kind: 'components', noun: 'component' },
};

/** Number of names in a remark. */
const MAX_NAMES = 5;

/** Returns deletions with what becomes of other objects because of them. */
export const withRemarks = (client: Client, deletions: readonly Step[], pairs: readonly Pair[]): Promise<Step[]> => {
  const doomed = new Set(deletions.map(({ current }) => current?.id));
  return Promise.all(
    deletions.map(async (step) => {
      const remark =
        step.kind === 'pages'
          ? await remarkOfPage(client, step, pairs)
          : step.kind === 'checks'
            ? remarkOfCheck(step, pairs, doomed)
            : remarkOfGroup(step, pairs, doomed);
      return remark === null ? step : { ...step, remark };
    }),
  );
};

/**
 * Returns which objects of other groups have the name of a new object; null if there are none.
 *
 * @param isInFile whether the new object is in a file, where `formerly` can be added
 */
export const remarkOfNamesakes = (namesakes: readonly CurrentObject[], isInFile: boolean): string | null => {
  const [first, ...others] = namesakes;
  if (!first) return null;
  const labels = others.length === 0 ? first.label : listed(namesakes.map(({ label }) => label));
  const [have, it] = others.length === 0 ? ['has', 'it'] : ['have', 'one'];
  const remark = `${labels} ${have} the same name`;
  if (!isInFile) return remark;
  const group = others.length > 0 ? '…' : JSON.stringify(first.fields['group'] ?? null);
  return `${remark}; to move ${it} here instead, add formerly: { group: ${group}, name: ${JSON.stringify(first.name)} }`;
};

/** Joins names, of which only the first few are listed. */
const listed = (names: readonly string[]): string =>
  [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])].join(', ');

const remarkOfGroup = (
  { kind, name, page }: Step,
  pairs: readonly Pair[],
  doomed: ReadonlySet<string | undefined>,
): string | null => {
  const members = MEMBERS[kind];
  if (!members) return null;
  const staying = pairs.filter(({ current, object }) => {
    if (current.kind !== members.kind || current.page !== page || doomed.has(current.id)) return false;
    return (object ?? current).fields['group'] === name;
  });
  if (staying.length === 0) return null;
  const stay = staying.length === 1 ? 'stays without a group' : 'stay without a group';
  return `${counted(staying.length, members.noun)} in it ${stay}: ${listed(staying.map(({ current }) => `"${current.name}"`))}`;
};

/** Names the rules that are deleted with their check, unless the plan deletes them itself. */
const remarkOfCheck = (
  { name, current }: Step,
  pairs: readonly Pair[],
  doomed: ReadonlySet<string | undefined>,
): string | null => {
  const check = canonicalJson({ group: current?.fields['group'] ?? null, name });
  const rules = pairs.filter(
    ({ current: rule, object }) =>
      rule.kind === 'rules' &&
      !doomed.has(rule.id) &&
      canonicalJson((object ?? rule).fields['check'] ?? null) === check,
  );
  if (rules.length === 0) return null;
  return `deleted with it: ${counted(rules.length, 'rule')}: ${listed(rules.map(({ current: rule }) => `"${rule.name}"`))}`;
};

const remarkOfPage = async (client: Client, { current }: Step, pairs: readonly Pair[]): Promise<string | null> => {
  if (!current) return null;
  const components = pairs.filter(({ current: part }) => part.kind === 'components' && part.pageId === current.id);
  const [incidents, subscribers] = await Promise.all([
    totalOf(client, `/v1/pages/${current.id}/incidents`),
    totalOf(client, `/v1/pages/${current.id}/subscribers`),
  ]);
  const parts = [
    counted(components.length, 'component'),
    counted(incidents, 'incident'),
    counted(subscribers, 'subscriber'),
  ];
  return `deleted with it: ${parts.join(', ')}`;
};

/** Returns the number of items in a list. */
const totalOf = async (client: Client, path: string): Promise<number> => {
  const body = await client.get(`${path}?page=1&page_size=1`);
  const pagination = isFields(body) ? body['pagination'] : null;
  const total = isFields(pagination) ? pagination['total_items'] : null;
  return typeof total === 'number' ? total : 0;
};

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
