import { worstStatus, type ComponentStatus } from '../domain/page/component-status.ts';

/** How a whole page is, as status pages tell it to programs. */
export type StatusIndicator = 'none' | 'maintenance' | 'minor' | 'major' | 'critical';

const INDICATORS: Readonly<Record<ComponentStatus, StatusIndicator>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
};

/** The worst component decides; without components nothing is wrong. */
export const indicatorOf = (statuses: readonly ComponentStatus[]): StatusIndicator => INDICATORS[worstStatus(statuses)];
