import { worstStatus, type ComponentStatus } from '../../domain/page/component-status.ts';
import { visibleComponents } from '../../domain/page/visible-components.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { ReadScope } from '../engine/scope.ts';
import { listComponents } from './components.ts';

/** The current state of a page as shown to visitors. */
export interface CurrentState {
  /** Worst status of the shown components, or `operational` if there are none. */
  status: ComponentStatus;
  /** Shown components and groups, by position. */
  shown: readonly ComponentDocument[];
  /** Shown components that are not operational, worst first. Does not contain groups. */
  affected: readonly ComponentDocument[];
}

/** Reads the current state of a page. Ignores hidden components. */
export const readCurrentState = async (scope: Pick<ReadScope, 'read'>, page: PageDocument): Promise<CurrentState> => {
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
