import type { EventType, RecordedEventOf } from '../../../domain/event-types.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Fields } from '../../../domain/fields.ts';
import { auditSubjectOf } from '../../../projections/audit/subjects.ts';
import { PERMISSIONS, type May, type Permission } from '../../permissions.ts';

export const CHANGE_KINDS = ['created', 'changed', 'deleted'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The effect of an event of the log `main` on a resource under `/v1`. */
export interface ResourceChange {
  /** Kind of the resource, such as `alert_rule`. The audit log uses the same names in `resource_type`. */
  resource: string;
  /** Id of the resource. {@link ANY_ID} if it is unknown which resources of this kind have changed. */
  id: string;
  /** the page that the resource belongs to, if any */
  page_id: string | null;
  change: ChangeKind;
}

export const ANY_ID = '';

type Describe<T extends EventType> = (event: RecordedEventOf<T>) => readonly ResourceChange[];

/** Event types whose changes cannot be derived from their audit log entries, or that have no entries. */
const DESCRIBED: { [T in EventType]?: Describe<T> } = {
  // The following events change nothing that the API shows.
  SecretValueRead: () => [],
  AlertChannelTested: () => [],
  PasswordResetRequested: () => [],
  InvitationResent: () => [],
  UserPasswordChanged: () => [],
  RecoveryCodeUsed: () => [],
  SignInsFailed: () => [],
  // Only the user of a session can see the session, so changes of sessions are not sent.
  SessionStarted: () => [],
  SessionEnded: () => [],

  // A revoked runner stays in the list, so it is reported as changed, not as deleted.
  RunnerRevoked: ({ data }) => [changed('runner', data.runner_id)],
  // No resource under /v1 shows whether a region is cut off.
  RegionCutOff: () => [],
  RegionReconnected: () => [],

  CheckCameUp: ({ data }) => [changed('check', data.check_id)],
  CheckWentDown: ({ data }) => [changed('check', data.check_id)],
  CheckRecovered: ({ data }) => [changed('check', data.check_id)],
  HeartbeatWentDown: ({ data }) => [changed('heartbeat', data.heartbeat_id)],
  HeartbeatRecovered: ({ data }) => [changed('heartbeat', data.heartbeat_id)],
  EmailDomainChecked: ({ data }) => [changed('email_domain', data.page_id, data.page_id)],

  JobQueued: ({ data }) => [{ ...changed('job', data.job_id), change: 'created' }],
  JobStarted: ({ data }) => [changed('job', data.job_id)],
  JobCompleted: ({ data }) => [changed('job', data.job_id)],
  JobFailed: ({ data }) => [changed('job', data.job_id)],

  // A change of `active` pauses or resumes all checks of the group.
  CheckGroupUpdated: ({ data }) => [
    changed('check_group', data.check_group_id),
    ...(data.changes.active === undefined ? [] : [changed('check', ANY_ID)]),
  ],
  CheckGroupDeleted: ({ data }) => [
    { ...changed('check_group', data.check_group_id), change: 'deleted' },
    changed('check', ANY_ID),
  ],

  // The following events also set the status of components.
  IncidentOpened: ({ data }) => [
    { ...changed('incident', data.incident_id, data.page_id), change: 'created' },
    ...componentsIn(data, data.update.components),
  ],
  MaintenanceScheduled: ({ data }) => [
    { ...changed('incident', data.incident_id, data.page_id), change: 'created' },
    ...componentsIn(data, data.update.components),
  ],
  IncidentStatusChanged: ({ data }) => [
    changed('incident', data.incident_id, data.page_id),
    ...componentsIn(data, data.components),
  ],
  IncidentUpdateAppended: ({ data }) => [
    changed('incident', data.incident_id, data.page_id),
    ...componentsIn(data, data.update.components),
  ],
  IncidentUpdateEdited: ({ data }) => [
    changed('incident', data.incident_id, data.page_id),
    ...componentsIn(data, { ...data.previous.components, ...data.changes.components }),
  ],
  IncidentDeleted: ({ data }) => [
    { ...changed('incident', data.incident_id, data.page_id), change: 'deleted' },
    changed('component', ANY_ID, data.page_id),
  ],
  IncidentUpdateRemoved: ({ data }) => [
    changed('incident', data.incident_id, data.page_id),
    ...componentsIn(data, data.update.components),
  ],
};

const changed = (resource: string, id: string, page_id: string | null = null): ResourceChange => ({
  resource,
  id,
  page_id,
  change: 'changed',
});

const componentsIn = ({ page_id }: { page_id: string }, components: object): ResourceChange[] =>
  Object.keys(components).map((id) => changed('component', id, page_id));

/** Audit log resources that the API shows as part of an incident. */
const OF_INCIDENT: readonly string[] = ['incident_update', 'postmortem'];

/** Audit log actions that create or delete a resource. */
const BEGINNINGS: readonly string[] = ['created', 'fired', 'invited', 'started'];
const ENDS: readonly string[] = ['deleted', 'revoked', 'removed', 'purged'];

const kindOf = (action: string): ChangeKind =>
  BEGINNINGS.includes(action) ? 'created' : ENDS.includes(action) ? 'deleted' : 'changed';

/** Returns the changes that an event made to resources under `/v1`. */
export const changesOf = (event: RecordedEvent): readonly ResourceChange[] => {
  const describe = DESCRIBED[event.type as EventType] as
    ((event: RecordedEvent) => readonly ResourceChange[]) | undefined;
  if (describe) return describe(event);
  const subject = auditSubjectOf(event);
  if (!subject) return [];
  const { resource_type: resource, resource_id: id, action } = subject;
  const { page_id, incident_id } = event.data as Fields;
  const page = typeof page_id === 'string' && isBelowPage(resource) ? page_id : null;
  if (OF_INCIDENT.includes(resource)) return [changed('incident', String(incident_id), page)];
  return [{ resource, id, page_id: page, change: kindOf(action.slice(action.indexOf('.') + 1)) }];
};

const BELOW_PAGES: readonly string[] = [
  'component',
  'email_domain',
  'incident',
  'page_password',
  'subscriber',
  ...OF_INCIDENT,
];
const isBelowPage = (resource: string): boolean => BELOW_PAGES.includes(resource);

/**
 * The permission needed to receive changes, by resource. Contains only permissions that are not named
 * `{resource}s.read`.
 */
const PERMISSION_OF: Readonly<Record<string, Permission>> = {
  alert_channel: 'alerts.read',
  alert_rule: 'alerts.read',
  // Callers without this permission can read their own keys, but receive no changes of keys.
  api_key: 'api_keys.administer',
  check_group: 'checks.read',
  email_domain: 'pages.read',
  incident_template: 'incidents.read',
  page_password: 'pages.read',
  payment: 'billing.read',
  subscription: 'billing.read',
};

/** Returns the permission needed to receive changes of a resource, or null if no client receives these changes. */
export const permissionOf = (resource: string): Permission | null => {
  const conventional = `${resource}s.read`;
  return PERMISSION_OF[resource] ?? (conventional in PERMISSIONS ? (conventional as Permission) : null);
};

const NEEDED = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (permission) => permission.endsWith('.read') || Object.values(PERMISSION_OF).includes(permission),
);

/**
 * Returns the caller's permissions that decide which changes the caller receives, as text. Callers with equal texts
 * share messages.
 */
export const audienceOf = (may: May): string => NEEDED.filter(may).join(' ');

/** Tests whether an audience ({@link audienceOf}) receives changes of a resource. */
export const receives = (audience: string, resource: string): boolean => {
  const permission = permissionOf(resource);
  return permission !== null && audience.split(' ').includes(permission);
};

/** Merges two changes of one resource. The later one wins, but `created` followed by `changed` stays `created`. */
export const mergeChanges = (earlier: ResourceChange | undefined, later: ResourceChange): ResourceChange =>
  earlier?.change === 'created' && later.change === 'changed' ? { ...later, change: 'created' } : later;

/** Changes merged by resource, in the order of the newest change of each resource. */
export class ChangeList {
  readonly #changes = new Map<string, ResourceChange>();

  add(changes: Iterable<ResourceChange>): void {
    for (const one of changes) {
      const key = `${one.resource} ${one.id}`;
      const merged = mergeChanges(this.#changes.get(key), one);
      this.#changes.delete(key);
      this.#changes.set(key, merged);
    }
  }

  get size(): number {
    return this.#changes.size;
  }

  list(): ResourceChange[] {
    return [...this.#changes.values()];
  }
}
