import type { IncidentStatus } from '../domain/incident/statuses.ts';
import type { ComponentStatus } from '../domain/page/component-status.ts';

/** The severity of a status. It determines the colours of the status. */
export type Tone = 'good' | 'calm' | 'uneasy' | 'bad' | 'worst';

const OF_INCIDENTS: Readonly<Record<IncidentStatus, Tone>> = {
  investigating: 'worst',
  identified: 'bad',
  monitoring: 'calm',
  resolved: 'good',
  scheduled: 'calm',
  in_progress: 'calm',
  verifying: 'calm',
  completed: 'good',
};

const OF_COMPONENTS: Readonly<Record<ComponentStatus, Tone>> = {
  operational: 'good',
  under_maintenance: 'calm',
  degraded_performance: 'uneasy',
  partial_outage: 'bad',
  major_outage: 'worst',
};

export const toneOfIncident = (status: IncidentStatus): Tone => OF_INCIDENTS[status];
export const toneOfComponent = (status: ComponentStatus): Tone => OF_COMPONENTS[status];
