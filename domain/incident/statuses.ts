import { Type } from '@sinclair/typebox';

/** Statuses of a regular incident (docs/reference/incidents.md#statuses). */
export const INCIDENT_STATUSES = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type RegularStatus = (typeof INCIDENT_STATUSES)[number];

/** Statuses of a maintenance (docs/reference/maintenance.md#statuses). */
export const MAINTENANCE_STATUSES = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;
export type MaintenanceStatus = (typeof MAINTENANCE_STATUSES)[number];

export type IncidentStatus = RegularStatus | MaintenanceStatus;
export const ALL_STATUSES: readonly IncidentStatus[] = [...INCIDENT_STATUSES, ...MAINTENANCE_STATUSES];
export const IncidentStatus = Type.Union([...INCIDENT_STATUSES, ...MAINTENANCE_STATUSES].map((s) => Type.Literal(s)));

/** The impact of an incident (docs/reference/incidents.md#impact). */
export const INCIDENT_IMPACTS = ['none', 'maintenance', 'minor', 'major', 'critical'] as const;
export type IncidentImpact = (typeof INCIDENT_IMPACTS)[number];
export const IncidentImpact = Type.Union(INCIDENT_IMPACTS.map((impact) => Type.Literal(impact)));

export type IncidentKind = 'regular' | 'maintenance';

/** Returns the possible statuses of a kind of incident. */
export const statusesOf = (kind: IncidentKind): readonly IncidentStatus[] =>
  kind === 'maintenance' ? MAINTENANCE_STATUSES : INCIDENT_STATUSES;

/** Whether a status sets `resolved_at`. */
export const isResolved = (status: IncidentStatus): boolean => status === 'resolved' || status === 'completed';

/**
 * Returns `start` or `end` if a status change starts or ends a maintenance, otherwise null. Subscribers are notified of
 * the start and the end.
 */
export const boundaryStatusOf = (from: IncidentStatus, to: IncidentStatus): 'start' | 'end' | null => {
  if (isInProgress(to) && !isInProgress(from)) return 'start';
  return to === 'completed' && from !== 'completed' ? 'end' : null;
};

/**
 * Whether a maintenance with this status is in progress. The time during which a maintenance is in progress is excluded
 * from uptime (docs/reference/uptime.md#excluded-time).
 */
export const isInProgress = (status: IncidentStatus): boolean => status === 'in_progress' || status === 'verifying';
