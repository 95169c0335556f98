import { MAX_COMPONENTS } from '../../domain/incident/rules.ts';
import type { ComponentLookup } from '../../domain/incident/affected-components.ts';
import { worstStatus } from '../../domain/page/component-status.ts';
import { notFound } from '../../domain/existence.ts';
import type { Instant } from '../../domain/time.ts';
import { timeInLane } from '../../domain/uptime/lane.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { grouped } from '../../domain/grouped.ts';
import { singlePage, type Listing, type LongList } from '../engine/listing.ts';
import { findPage } from './pages.ts';
import type { ReadScope } from '../engine/scope.ts';

/** The ids of a component and of its page. */
export interface ComponentIds {
  page_id: string;
  component_id: string;
}

/** Selects components and groups, or only groups (docs/reference/components.md#groups). */
export interface ComponentKinds {
  groupsOnly: boolean;
}

const ALL: ComponentKinds = { groupsOnly: false };

/** Placeholder for the id of a group. */
const NO_GROUP = '';

const isOf = ({ group }: ComponentDocument, { groupsOnly }: ComponentKinds): boolean => group || !groupsOnly;

/** Finds a component or group of a page. The `status` of a group is not computed. @throws NotFound */
export const componentOfPage = async (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  componentId: string,
  kinds = ALL,
): Promise<ComponentDocument> => {
  const component = await read(components).components.get(componentId);
  if (component?.page_id !== page_id || !isOf(component, kinds))
    throw notFound(kinds.groupsOnly ? 'component group' : 'component');
  return component;
};

/** Finds the page, and then the component or group as in `componentOfPage`. @throws NotFound */
export const findComponent = async (
  scope: ReadScope,
  { page_id, component_id }: ComponentIds,
  kinds = ALL,
): Promise<ComponentDocument> => componentOfPage(scope, await findPage(scope, page_id), component_id, kinds);

/** Finds a component or group with its shown status. @throws NotFound */
export const componentWithStatus = async (
  scope: ReadScope,
  place: ComponentIds,
  kinds = ALL,
): Promise<ComponentDocument> => {
  const component = await findComponent(scope, place, kinds);
  const [shown = component] = await withoutDeletedChecks(scope, [component]);
  if (!component.group) return shown;
  const where = { group_id: component.id };
  return groupWithStatus(component, await scope.read(components).components.find({ where }));
};

/** Lists the components and groups of a page with their shown statuses, by position, then by name. */
export const listComponents = async (
  scope: Pick<ReadScope, 'read'>,
  { id: page_id }: PageDocument,
  kinds = ALL,
): Promise<ComponentDocument[]> => {
  const sort = { position: 1, name: 1 } as const;
  const found = await withoutDeletedChecks(
    scope,
    await scope.read(components).components.find({ where: { page_id }, sort }),
  );
  const members = grouped(found, ({ group_id }) => group_id ?? NO_GROUP);
  return found
    .filter((component) => isOf(component, kinds))
    .map((component) => groupWithStatus(component, members.get(component.id) ?? []));
};

/**
 * The fields that are compared to notice a change of a component. The description is not read, because it can be long:
 * a change of the description also changes `updated_at`.
 */
const CHANGING = [
  ...(['id', 'name', 'position', 'group_id', 'status', 'showcase', 'only_show_if_degraded'] as const),
  ...(['start_date', 'check_id', 'check_tag', 'show_response_times', 'updated_at'] as const),
];

type Changing = Pick<ComponentDocument, (typeof CHANGING)[number]>;

/** Returns values that differ after each change of a page's components that visitors can see. */
export const readComponentVersions = async (
  scope: Pick<ReadScope, 'read'>,
  page_id: string,
): Promise<readonly Changing[]> =>
  withoutDeletedChecks(scope, await scope.read(components).components.pick(CHANGING, { where: { page_id } }));

/** Up to this many components are read with one query. */
const FEW = 50;
/**
 * Batch size if there are more components than `FEW`. It is small, because each component can have a long description.
 */
const AT_A_TIME = 4;

/** Lists the components of a page like `listComponents`, but reads many components in small batches. */
export const listShownComponents = async (
  scope: Pick<ReadScope, 'read'>,
  page: PageDocument,
  kinds = ALL,
): Promise<Listing<ComponentDocument> | LongList<ComponentDocument>> => {
  const model = scope.read(components).components;
  const where = { page_id: page.id };
  const ids = (await model.pick(['id'], { where, sort: { position: 1, name: 1 } })).map(({ id }) => id);
  if (ids.length <= FEW) return singlePage(await listComponents(scope, page, kinds));
  return {
    each: async function* () {
      const members = grouped(await readComponentVersions(scope, page.id), ({ group_id }) => group_id ?? NO_GROUP);
      for (let at = 0; at < ids.length; at += AT_A_TIME) {
        const found = await withoutDeletedChecks(scope, await model.getMany(ids.slice(at, at + AT_A_TIME)));
        for (const one of found) if (isOf(one, kinds)) yield groupWithStatus(one, members.get(one.id) ?? []);
      }
    },
    version: async () => JSON.stringify([kinds, await readComponentVersions(scope, page.id)]),
  };
};

/**
 * Sets the status of a group to the worst status of its components (docs/reference/components.md#groups).
 *
 * @param members all components of the group
 */
export const groupWithStatus = (
  component: ComponentDocument,
  members: readonly Pick<ComponentDocument, 'status'>[],
): ComponentDocument =>
  component.group ? { ...component, status: worstStatus(members.map(({ status }) => status)) } : component;

/**
 * Removes references to deleted checks from components. Such a reference exists if a check was deleted while a
 * component was being linked to it.
 */
export const withoutDeletedChecks = async <C extends Pick<ComponentDocument, 'check_id'>>(
  { read }: Pick<ReadScope, 'read'>,
  found: readonly C[],
): Promise<readonly C[]> => {
  const named = [...new Set(found.flatMap(({ check_id }) => check_id ?? []))];
  const watching = await standingOf(named, read);
  const deleted = new Set<string | null>(watching.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id));
  return found.map((component) => (deleted.has(component.check_id) ? { ...component, check_id: null } : component));
};

/** Up to this many checks are read completely. Reading more checks with their scripts would delay other requests. */
const FEW_CHECKS = 20;

const standingOf = async (
  ids: readonly string[],
  read: ReadScope['read'],
): Promise<readonly Pick<CheckDocument, 'id' | 'deleted_at'>[]> => {
  if (ids.length === 0) return [];
  const model = read(checks).checks;
  return ids.length <= FEW_CHECKS
    ? model.getMany(ids)
    : model.pick(['id', 'deleted_at'], { where: { id: { $in: ids } } });
};

/** Returns the components and groups of a page with these ids, by id. Ignores unknown ids. */
export const findNamedComponents = async (
  { read }: Pick<ReadScope, 'read'>,
  pageId: string,
  ids: readonly string[],
): Promise<Map<string, ComponentDocument>> => {
  const found = ids.length === 0 ? [] : await read(components).components.getMany([...new Set(ids)]);
  return new Map(found.filter((component) => component.page_id === pageId).map((one) => [one.id, one]));
};

/** Returns the most recent time at which a status of one of these components was set, or null. */
export const statusesSetAt = (found: readonly Pick<ComponentDocument, 'status_set'>[]): Instant | null =>
  found.reduce<Instant | null>((latest, { status_set }) => {
    const at = timeInLane(status_set.moment);
    return latest === null || at > latest ? at : latest;
  }, null);

/**
 * Reads the data of named components and groups that the rules of incidents and components need. Reads at most as many
 * documents as an incident can have components. All further ids are reported as known components without reading them,
 * because a request with more ids is refused anyway.
 */
export const knownComponents = async (
  { read }: Pick<ReadScope, 'read'>,
  pageId: string,
  named: readonly string[],
): Promise<ComponentLookup> => {
  const ids = [...new Set(named)];
  const known = new Map(ids.slice(MAX_COMPONENTS).map((id) => [id, { group: false }]));
  const where = { id: { $in: ids.slice(0, MAX_COMPONENTS) } };
  const found = ids.length === 0 ? [] : await read(components).components.pick(['id', 'page_id', 'group'], { where });
  for (const { id, page_id, group } of found) if (page_id === pageId) known.set(id, { group });
  return { components: known };
};
