import { visibleComponents } from '../../domain/page/visible.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { grouped } from '../engine/grouped.ts';
import type { Reading } from '../engine/scope.ts';
import { withStatus } from './components.ts';

/** Components and groups of a page, by position, then by name. */
export interface PageComponents {
  /** all of them; a visitor sees those that are hidden now only where an incident names them */
  all: readonly ComponentDocument[];
  /** those that visitors see now (domain/page/visible.ts) */
  visible: readonly ComponentDocument[];
}

/** Stands for the id of a group. */
const NO_GROUP = '';

/** The components of a page with the statuses that they show; which checks watch them is not looked up. */
export const componentsForVisitors = async (
  { read }: Pick<Reading, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<PageComponents> => {
  const found = await read(components).components.find({ where: { page_id }, sort: { position: 1, name: 1 } });
  const members = grouped(found, ({ group_id }) => group_id ?? NO_GROUP);
  const all = found.map((one) => withStatus(one, members.get(one.id) ?? []));
  return { all, visible: visibleComponents(all) };
};
