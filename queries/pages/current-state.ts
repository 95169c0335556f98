import { worstStatus, type ComponentStatus } from '../../domain/page/component-status.ts';
import { visibleComponents } from '../../domain/page/visible.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { Reading } from '../engine/scope.ts';
import { listComponents } from './components.ts';

/** How a page is now, as its visitors see it. */
export interface CurrentState {
  /** the worst of the components that are shown; `operational` without any */
  status: ComponentStatus;
  /** components and groups that are shown, by position */
  shown: readonly ComponentDocument[];
  /** the components among them, without groups, that are not operational, the worst first */
  affected: readonly ComponentDocument[];
}

/** How a page is now; hidden components count for nothing. */
export const currentState = async (scope: Pick<Reading, 'read'>, page: PageDocument): Promise<CurrentState> => {
  const shown = visibleComponents(await listComponents(scope, page));
  const single = shown.filter(({ group }) => !group);
  const affected = WORST_FIRST.flatMap((status) => single.filter((component) => component.status === status));
  return { status: worstStatus(single.map(({ status }) => status)), shown, affected };
};

const WORST_FIRST: readonly ComponentStatus[] = [
  'major_outage',
  'partial_outage',
  'degraded_performance',
  'under_maintenance',
];
