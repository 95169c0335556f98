import { Type } from '@sinclair/typebox';

/** The five component statuses, from best to worst (docs/reference/components.md#statuses). */
export const COMPONENT_STATUSES = [
  'operational',
  'under_maintenance',
  'degraded_performance',
  'partial_outage',
  'major_outage',
] as const;

export const ComponentStatus = Type.Union(COMPONENT_STATUSES.map((status) => Type.Literal(status)));
export type ComponentStatus = (typeof COMPONENT_STATUSES)[number];

/** Returns the rank of a status. A worse status has a higher rank. */
export const severityOf = (status: ComponentStatus): number => COMPONENT_STATUSES.indexOf(status);

/**
 * Returns the worst of several statuses, which is the status of a group with these components. Returns `operational`
 * for an empty list (docs/reference/components.md#groups).
 */
export const worstStatus = (statuses: Iterable<ComponentStatus>): ComponentStatus => {
  let worst: ComponentStatus = 'operational';
  for (const status of statuses) if (severityOf(status) > severityOf(worst)) worst = status;
  return worst;
};
