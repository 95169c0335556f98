import type { EventType, RecordedEventOf } from '../../../domain/catalogue.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Fields } from '../../../domain/fields.ts';
import { subjectOf } from '../../../projections/audit/subjects.ts';
import { PERMISSIONS, type May, type Permission } from '../../permissions.ts';

export const CHANGE_KINDS = ['created', 'changed', 'deleted'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What an event of the log `main` did to a resource under `/v1`. */
export interface Change {
  /** `check`, `alert_rule`: as `resource_type` in the audit log */
  resource: string;
  /** {@link ANY}: some of these have changed, and it is unknown which */
  id: string;
  /** the page that the resource is below, if it is below one */
  page_id: string | null;
  change: ChangeKind;
}

export const ANY = '';

type Describe<T extends EventType> = (event: RecordedEventOf<T>) => readonly Change[];

/** Types whose entries in the audit log do not say what has changed, or that have none. */
const DESCRIBED: { [T in EventType]?: Describe<T> } = {
  // Read, tried or asked for: nothing that is shown has changed.
  SecretValueRead: () => [],
  AlertChannelTested: () => [],
  PasswordResetRequested: () => [],
  InvitationResent: () => [],
  UserPasswordChanged: () => [],
  RecoveryCodeUsed: () => [],
  SignInsFailed: () => [],
  // Sessions are shown to their users only.
  SessionStarted: () => [],
  SessionEnded: () => [],

  // It stays in the list.
  RunnerRevoked: ({ data }) => [changed('runner', data.runner_id)],
  // No resource below /v1 says so.
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

  // Its checks are paused with it, and in no group without it.
  CheckGroupUpdated: ({ data }) => [
    changed('check_group', data.check_group_id),
    ...(data.changes.active === undefined ? [] : [changed('check', ANY)]),
  ],
  CheckGroupDeleted: ({ data }) => [
    { ...changed('check_group', data.check_group_id), change: 'deleted' },
    changed('check', ANY),
  ],

  // These set the status of components as well.
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
    changed('component', ANY, data.page_id),
  ],
  IncidentUpdateRemoved: ({ data }) => [
    changed('incident', data.incident_id, data.page_id),
    ...componentsIn(data, data.update.components),
  ],
};

const changed = (resource: string, id: string, page_id: string | null = null): Change => ({
  resource,
  id,
  page_id,
  change: 'changed',
});

const componentsIn = ({ page_id }: { page_id: string }, components: object): Change[] =>
  Object.keys(components).map((id) => changed('component', id, page_id));

/** Parts of an incident that are shown with it. */
const OF_INCIDENT: readonly string[] = ['incident_update', 'postmortem'];

/** What the audit log calls the beginning and the end of a resource. */
const BEGINNINGS: readonly string[] = ['created', 'fired', 'invited', 'started'];
const ENDS: readonly string[] = ['deleted', 'revoked', 'removed', 'purged'];

const kindOf = (done: string): ChangeKind =>
  BEGINNINGS.includes(done) ? 'created' : ENDS.includes(done) ? 'deleted' : 'changed';

/** What an event changed; empty: nothing that `/v1` shows. */
export const changesOf = (event: RecordedEvent): readonly Change[] => {
  const describe = DESCRIBED[event.type as EventType] as ((event: RecordedEvent) => readonly Change[]) | undefined;
  if (describe) return describe(event);
  const subject = subjectOf(event);
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

/** The permission that a caller needs for a resource to be named, where it is not `{resource}s.read`. */
const PERMISSION_OF: Readonly<Record<string, Permission>> = {
  alert_channel: 'alerts.read',
  alert_rule: 'alerts.read',
  // Callers without it may read their own keys, but changes of keys are not sent to them.
  api_key: 'api_keys.administer',
  check_group: 'checks.read',
  email_domain: 'pages.read',
  incident_template: 'incidents.read',
  page_password: 'pages.read',
  payment: 'billing.read',
  subscription: 'billing.read',
};

/** The permission that a caller needs for a resource to be named; null: it is never named. */
export const permissionOf = (resource: string): Permission | null => {
  const conventional = `${resource}s.read`;
  return PERMISSION_OF[resource] ?? (conventional in PERMISSIONS ? (conventional as Permission) : null);
};

const NEEDED = (Object.keys(PERMISSIONS) as Permission[]).filter(
  (permission) => permission.endsWith('.read') || Object.values(PERMISSION_OF).includes(permission),
);

/** The permissions by which a caller's messages are filtered. Callers with the same ones get the same messages. */
export const audienceOf = (may: May): string => NEEDED.filter(may).join(' ');

/** Whether an audience ({@link audienceOf}) may read a resource. */
export const hears = (audience: string, resource: string): boolean => {
  const permission = permissionOf(resource);
  return permission !== null && audience.split(' ').includes(permission);
};

/** Changes of one resource as one: the newest, but what was created since stays `created`. */
export const mergedChange = (earlier: Change | undefined, later: Change): Change =>
  earlier?.change === 'created' && later.change === 'changed' ? { ...later, change: 'created' } : later;

/** Changes by resource, each resource once, in the order of their last change. */
export class ChangeList {
  readonly #changes = new Map<string, Change>();

  add(changes: Iterable<Change>): void {
    for (const one of changes) {
      const key = `${one.resource} ${one.id}`;
      const merged = mergedChange(this.#changes.get(key), one);
      this.#changes.delete(key);
      this.#changes.set(key, merged);
    }
  }

  get size(): number {
    return this.#changes.size;
  }

  list(): Change[] {
    return [...this.#changes.values()];
  }
}
