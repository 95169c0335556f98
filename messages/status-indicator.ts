import { worstStatus, type ComponentStatus } from '../domain/page/component-status.ts';

/** The overall state of a page in the terms of the Statuspage API. */
export type StatusIndicator = 'none' | 'maintenance' | 'minor' | 'major' | 'critical';

const INDICATORS: Readonly<Record<ComponentStatus, StatusIndicator>> = {
  operational: 'none',
  under_maintenance: 'maintenance',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
};

/**
 * Returns the overall state of a page, which is that of its worst component. A page without components is operational.
 */
export const indicatorOf = (statuses: readonly ComponentStatus[]): StatusIndicator => INDICATORS[worstStatus(statuses)];
