import { visibleComponents } from '../../domain/page/visible-components.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { grouped } from '../engine/grouped.ts';
import type { ReadScope } from '../engine/scope.ts';
import { groupWithStatus } from './components.ts';

/** Components and groups of a page, by position, then by name. */
export interface PageComponents {
  /** all of them; visitors see a hidden one only where an incident names it */
  all: readonly ComponentDocument[];
  /** those that visitors see now (domain/page/visible-components.ts) */
  visible: readonly ComponentDocument[];
}

/** Placeholder for the id of a group. */
const NO_GROUP = '';

/** The components of a page with their shown statuses. Does not read which checks watch them. */
export const componentsForVisitors = async (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<PageComponents> => {
  const found = await read(components).components.find({ where: { page_id }, sort: { position: 1, name: 1 } });
  const members = grouped(found, ({ group_id }) => group_id ?? NO_GROUP);
  const all = found.map((one) => groupWithStatus(one, members.get(one.id) ?? []));
  return { all, visible: visibleComponents(all) };
};
