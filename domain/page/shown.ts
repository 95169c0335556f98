import type { ComponentStatus } from './component-status.ts';

/** What decides whether visitors of a page see a component or a group. */
export interface Showing {
  id: string;
  status: ComponentStatus;
  showcase: boolean;
  only_show_if_degraded: boolean;
  group_id: string | null;
}

/**
 * Those of a page's components and groups that its visitors see, in whatever format: neither those without `showcase`,
 * nor those with `only_show_if_degraded` while nothing is wrong, nor what is in a hidden group.
 *
 * @param all components and groups of the page, with the statuses that they show
 */
export const shownOf = <C extends Showing>(all: readonly C[]): C[] => {
  const isShown = ({ showcase, only_show_if_degraded: onlyDegraded, status }: Showing): boolean =>
    showcase && !(onlyDegraded && status === 'operational');
  const hidden = new Set(all.filter((one) => !isShown(one)).map(({ id }) => id));
  return all.filter(({ id, group_id: group }) => !hidden.has(id) && (group === null || !hidden.has(group)));
};
