import type { ComponentStatus } from './component-status.ts';

/** The fields that determine whether visitors see a component or a group. */
export interface VisibilityInput {
  id: string;
  group: boolean;
  group_id: string | null;
  only_show_if_degraded: boolean;
  /** the status of the component; for a group, the worst status of its components */
  status: ComponentStatus;
}

/**
 * Returns the components and groups that visitors see, in the given order. A component with `only_show_if_degraded` is
 * hidden while it is operational. A group without visible components is hidden too.
 */
export const visibleComponents = <C extends VisibilityInput>(components: readonly C[]): C[] => {
  const shown = components.filter((one) => !one.only_show_if_degraded || one.status !== 'operational');
  const groups = new Set(shown.filter(({ group }) => group).map(({ id }) => id));
  const hidden = new Set(components.filter(({ id, group }) => group && !groups.has(id)).map(({ id }) => id));
  const members = shown.filter(({ group, group_id }) => !group && (group_id === null || !hidden.has(group_id)));
  const filled = new Set(members.map(({ group_id }) => group_id));
  return shown.filter(({ id, group, group_id }) =>
    group ? filled.has(id) : group_id === null || !hidden.has(group_id),
  );
};
