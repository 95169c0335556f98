import { OBJECT_KINDS, type ObjectKind } from '../../api/configuration/entries.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { keyOf, labelOf } from '../configuration/kinds.ts';
import type { Configuration } from '../configuration/model.ts';
import { objectsOf, type ConfiguredObject } from '../configuration/objects.ts';
import { InvalidConfiguration, type Locate, type Problem } from '../configuration/paths.ts';
import type { Client } from './client.ts';
import { compare, type Comparison } from './compare.ts';
import { createDirectory, withFullReferences, type Directory } from './directory.ts';
import { currentObjects, namedAs, type CurrentObject } from './current-objects.ts';
import { matched } from './match.ts';
import { entriesWithNumber } from './numbered-names.ts';
import { remarkOfNamesakes, withRemarks, type Pair } from './remarks.ts';
import { markedKinds, readResources, withReferenced } from './resources.ts';
import type { Step } from './step.ts';

/** The mark of objects that `uptrail apply` has created. */
export const APPLY_MARK = 'apply';

export interface PlanOptions {
  /** Deletes objects with the mark that the configuration does not contain. */
  prune?: boolean;
  /** mark of created objects; null: they get none; default: {@link APPLY_MARK} */
  managedBy?: string | null;
  /** Whether fields that the configuration lacks get their defaults, or stay as they are. Default: `default` */
  absentFields?: 'default' | 'unchanged';
  /** values for `${kept}` of objects that do not exist yet, by the names that `Plan.needed` lists */
  values?: Readonly<Record<string, string>>;
  /** Writes secret values that the service does not show, because they cannot be compared. */
  writeSecrets?: boolean;
  /** texts that are not shown, such as values of environment variables */
  secretTexts?: ReadonlySet<string>;
  locate?: Locate;
}

export interface Plan {
  steps: readonly Step[];
  /** number of objects that stay as they are */
  unchanged: number;
  /** names of the values that the service does not have and that the files do not contain; nothing can be applied */
  needed: readonly string[];
  /** number of secret values that were not compared, because the service does not show them */
  uncompared: number;
  /** mark of created objects, and the kinds that have marks */
  mark: { name: string | null; kinds: ReadonlySet<ObjectKind> };
  directory: Directory;
}

/**
 * Compares a configuration with the objects of a service. Changes nothing.
 *
 * @throws InvalidConfiguration the configuration is invalid
 * @throws OperatorError the service cannot be read, or all marked objects would be deleted
 */
export const planConfiguration = async (
  client: Client,
  configuration: Configuration,
  options: PlanOptions = {},
): Promise<Plan> => {
  const { prune = false, managedBy = APPLY_MARK, locate } = options;
  const objects = objectsOf(configuration, locate);
  const kinds = prune ? new Set(OBJECT_KINDS) : withReferenced(objects.map(({ kind }) => kind));
  const shown = await readResources(client, kinds);
  const directory = createDirectory();
  const problems: Problem[] = [];
  const needed: string[] = [];
  const steps: Step[] = [];
  const surplus: CurrentObject[] = [];
  const all: Pair[] = [];
  const keepsAbsent = options.absentFields === 'unchanged';
  const isDoomed = (object: CurrentObject): boolean => prune && hasMark(object, managedBy);
  let unchanged = 0;
  let uncompared = 0;

  for (const kind of OBJECT_KINDS) {
    const configured = completed(kind, objects, directory, problems);
    const current = currentObjects(kind, shown.get(kind) ?? [], directory.nameOf);
    const { pairs, namesakes, problems: unmatched } = matched(kind, configured, current, managedBy);
    problems.push(...unmatched);
    const claimed = new Set(pairs.values());
    const free = current.filter((object) => !claimed.has(object));
    surplus.push(...free);
    all.push(...free.map((object) => ({ current: object, object: null })));
    all.push(...[...pairs].map(([object, existing]) => ({ current: existing, object })));
    for (const object of free) directory.add(namedAs(kind, object.fields, object.name, object.page), object.id, false);
    for (const object of configured) {
      const name = String(object.fields['name']);
      directory.add(namedAs(kind, object.fields, name, object.page), pairs.get(object)?.id ?? null, true);
    }
    const numbered = entriesWithNumber(kind, { configured, current, pairs, isDoomed, keepsAbsent });
    const compared = await Promise.all(
      configured.map(async (object) => {
        const found = pairs.get(object) ?? null;
        return compare(client, object, found && numbered.has(object) ? withNumber(found) : found, options);
      }),
    );
    for (const comparison of compared) {
      problems.push(...comparison.problems);
      needed.push(...comparison.needed);
      uncompared += comparison.uncompared;
      const step = stepOf(comparison);
      const remark = remarkOfNamesakes(namesakes.get(comparison.object) ?? [], managedBy !== null);
      if (step) steps.push(remark === null ? step : { ...step, remark });
      else unchanged += 1;
    }
  }
  if (problems.length > 0) throw new InvalidConfiguration(problems, locate);

  const hasMarks = managedBy !== null && (prune || steps.some(({ action }) => action === 'create'));
  const marked = hasMarks ? await markedKinds(client) : new Set<ObjectKind>();
  if (prune && marked.size === 0) {
    throw new OperatorError(
      `${client.server} does not mark objects as created by files (managed_by), so --prune cannot find what to delete.`,
    );
  }
  if (prune) {
    const doomed = deletions(surplus, managedBy);
    if (objects.length === 0) {
      throw new OperatorError(
        `Nothing to apply: the files contain no object; --prune would delete ${doomed.length} object${doomed.length === 1 ? '' : 's'}.`,
      );
    }
    steps.push(...(await withRemarks(client, doomed, all)));
  }
  return { steps, unchanged, needed, uncompared, mark: { name: managedBy, kinds: marked }, directory };
};

/** Returns the configured objects of a kind with complete references. */
const completed = (
  kind: ObjectKind,
  objects: readonly ConfiguredObject[],
  directory: Directory,
  problems: Problem[],
): ConfiguredObject[] => {
  const keys = new Set<string>();
  return objects
    .filter((object) => object.kind === kind)
    .map((object) => {
      const full = withFullReferences(object, directory);
      problems.push(...full.problems);
      const key = keyOf(kind, full.fields, object.page);
      // Two references in different forms can mean the same object.
      if (keys.has(key)) {
        problems.push({ path: object.path, sentence: `Another ${labelOf(kind, full.fields, object.page)} exists.` });
      }
      keys.add(key);
      return { ...object, fields: full.fields };
    });
};

const stepOf = ({ object, current, fields, changes }: Comparison): Step | null => {
  if (current && Object.keys(fields).length === 0) return null;
  const { kind, page } = object;
  return {
    action: current ? 'change' : 'create',
    kind,
    label: labelOf(kind, object.fields, page),
    name: String(object.fields['name']),
    page,
    fields,
    changes,
    current,
  };
};

const hasMark = ({ managedBy }: CurrentObject, mark: string | null): boolean => mark !== null && managedBy === mark;

/** Returns an object of the service with the numbered name that its entry has. */
const withNumber = (object: CurrentObject): CurrentObject => ({
  ...object,
  fields: { ...object.fields, name: object.name },
});

/** Returns the deletions of objects with the mark. Objects are deleted before those that they refer to. */
const deletions = (surplus: readonly CurrentObject[], mark: string | null): Step[] => {
  const doomed = surplus.filter((object) => hasMark(object, mark));
  const pages = new Set(doomed.filter(({ kind }) => kind === 'pages').map(({ id }) => id));
  return doomed
    .filter(({ pageId }) => pageId === null || !pages.has(pageId))
    .reverse()
    .map((current) => {
      const { kind, label, name, page } = current;
      return { action: 'delete', kind, label, name, page, fields: {}, changes: [], current };
    });
};
