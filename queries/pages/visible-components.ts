import { visibleComponents } from '../../domain/page/visible-components.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import { components } from '../../projections/components/projection.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { grouped } from '../../domain/grouped.ts';
import type { ReadScope } from '../engine/scope.ts';
import { groupWithStatus } from './components.ts';

/** Components and groups of a page, by position, then by name. */
export interface PageComponents {
  /** All components. Visitors see a hidden component only in the incidents that name it. */
  all: readonly ComponentDocument[];
  /** The components that visitors currently see (domain/page/visible-components.ts). */
  visible: readonly ComponentDocument[];
}

/** Placeholder for the id of a group. */
const NO_GROUP = '';

/** Reads the components of a page with their shown statuses. Does not read the checks that they are linked to. */
export const componentsForVisitors = async (
  { read }: Pick<ReadScope, 'read'>,
  { id: page_id }: Pick<PageDocument, 'id'>,
): Promise<PageComponents> => {
  const found = await read(components).components.find({ where: { page_id }, sort: { position: 1, name: 1 } });
  const members = grouped(found, ({ group_id }) => group_id ?? NO_GROUP);
  const all = found.map((one) => groupWithStatus(one, members.get(one.id) ?? []));
  return { all, visible: visibleComponents(all) };
};
