import type { KnownComponents } from '../../domain/incident/named-components.ts';
import { worstStatus } from '../../domain/page/component-status.ts';
import { noSuch } from '../../domain/lifecycle.ts';
import type { Instant } from '../../domain/time.ts';
import { timeIn } from '../../domain/uptime/lane.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { grouped } from '../engine/grouped.ts';
import { findPage } from './pages.ts';
import type { Reading } from '../engine/scope.ts';

/** A component and its page, by id. */
export interface ComponentPlace {
  page_id: string;
  component_id: string;
}

/** Components and groups, or only groups (decisions.md: Status pages, Component). */
export interface Kinds {
  groupsOnly: boolean;
}

const ALL: Kinds = { groupsOnly: false };

/** Stands for the id of a group. */
const NO_GROUP = '';

const isOf = ({ group }: ComponentDocument, { groupsOnly }: Kinds): boolean => group || !groupsOnly;

/** A component or group of a page; the `status` of a group means nothing. @throws NotFound */
export const componentOfPage = async (
  { read }: Pick<Reading, 'read'>,
  { id: page_id }: PageDocument,
  componentId: string,
  kinds = ALL,
): Promise<ComponentDocument> => {
  const component = await read(components).components.get(componentId);
  if (component?.page_id !== page_id || !isOf(component, kinds))
    throw noSuch(kinds.groupsOnly ? 'component group' : 'component');
  return component;
};

/** The same, finding its page first. @throws NotFound */
export const findComponent = async (
  scope: Reading,
  { page_id, component_id }: ComponentPlace,
  kinds = ALL,
): Promise<ComponentDocument> => componentOfPage(scope, await findPage(scope, page_id), component_id, kinds);

/** A component or group with the status that it shows. @throws NotFound */
export const componentWithStatus = async (
  scope: Reading,
  place: ComponentPlace,
  kinds = ALL,
): Promise<ComponentDocument> => {
  const component = await findComponent(scope, place, kinds);
  const [shown = component] = await withoutDeletedChecks(scope, [component]);
  if (!component.group) return shown;
  const where = { group_id: component.id };
  return withStatus(component, await scope.read(components).components.find({ where }));
};

/** The components and groups of a page with the statuses that they show, by position, then by name. */
export const listComponents = async (
  scope: Pick<Reading, 'read'>,
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
    .map((component) => withStatus(component, members.get(component.id) ?? []));
};

/**
 * A group is as bad as the worst of its components (decisions.md: Status pages, Component).
 *
 * @param members all components of the group
 */
export const withStatus = (component: ComponentDocument, members: readonly ComponentDocument[]): ComponentDocument =>
  component.group ? { ...component, status: worstStatus(members.map(({ status }) => status)) } : component;

/** The same components, naming no check that is gone: one can be deleted just while a component comes to name it. */
export const withoutDeletedChecks = async (
  { read }: Pick<Reading, 'read'>,
  found: readonly ComponentDocument[],
): Promise<readonly ComponentDocument[]> => {
  const named = [...new Set(found.flatMap(({ check_id }) => check_id ?? []))];
  const watching = await standingOf(named, read);
  const deleted = new Set<string | null>(watching.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id));
  return found.map((component) => (deleted.has(component.check_id) ? { ...component, check_id: null } : component));
};

/** Checks that are read whole: more of them, with their scripts, would hold up other requests. */
const FEW_CHECKS = 20;

const standingOf = async (
  ids: readonly string[],
  read: Reading['read'],
): Promise<readonly Pick<CheckDocument, 'id' | 'deleted_at'>[]> => {
  if (ids.length === 0) return [];
  const model = read(checks).checks;
  return ids.length <= FEW_CHECKS
    ? model.getMany(ids)
    : model.pick(['id', 'deleted_at'], { where: { id: { $in: ids } } });
};

/** The components and groups of a page with these ids, by id; other ids are ignored. */
export const namedComponents = async (
  { read }: Pick<Reading, 'read'>,
  pageId: string,
  ids: readonly string[],
): Promise<Map<string, ComponentDocument>> => {
  const found = ids.length === 0 ? [] : await read(components).components.getMany([...new Set(ids)]);
  return new Map(found.filter((component) => component.page_id === pageId).map((one) => [one.id, one]));
};

/** When a status of one of these components was last set; null: of none. */
export const statusesSetAt = (found: readonly Pick<ComponentDocument, 'status_set'>[]): Instant | null =>
  found.reduce<Instant | null>((latest, { status_set }) => {
    const at = timeIn(status_set.moment);
    return latest === null || at > latest ? at : latest;
  }, null);

/** What the rules of incidents and components need to know of a page's components and groups. */
export const knownComponents = async ({ read }: Pick<Reading, 'read'>, pageId: string): Promise<KnownComponents> => {
  const found = await read(components).components.find({ where: { page_id: pageId } });
  return { components: new Map(found.map((component) => [component.id, component])) };
};
