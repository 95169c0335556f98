import { durationOf } from '../../domain/alert/decide.ts';
import type { Severity } from '../../domain/alert-rule/fields.ts';
import type { Instant } from '../../domain/time.ts';
import type { AlertDocument, AlertStatus } from '../../projections/alerts/documents.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import { containedIn, exactly, oneOf, oneOfWhere, type Match } from '../engine/filters.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';
import { readNotificationSummaries, type NotificationSummary } from './notifications.ts';

/** Statuses by which lists can be filtered. `active` means firing or acknowledged. */
export const ALERT_FILTERS = ['firing', 'acknowledged', 'resolved', 'active'] as const;

/** An alert in the form of API responses. */
export interface JoinedAlert extends AlertDocument, NotificationSummary {
  /** Whole seconds from firing to resolution, or to now. */
  duration: number;
}

export interface AlertFilters {
  /** Matches any of these values. */
  status?: readonly (AlertStatus | 'active')[];
  check_id?: string;
  rule_id?: string;
  /** Matches any of these values. */
  severity?: readonly Severity[];
  /** Matches alerts with this text in the title, or in the name of the check or rule, ignoring case. */
  q?: string;
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

// Conditions on active alerts use `is_active`, which has an index, because there are few active alerts.
const ACTIVE = { is_active: true } as const;
const withStatus = (status: AlertStatus | 'active'): Where =>
  status === 'active' ? ACTIVE : status === 'resolved' ? { is_active: false } : { ...ACTIVE, status };
const byStatus: Match<readonly (AlertStatus | 'active')[]> = (_, statuses) => oneOfWhere(statuses.map(withStatus));

const own = ownDocuments((read) => read(alerts).alerts, 'alert', {
  sort: { fired_at: -1 },
  filters: {
    status: byStatus,
    check_id: exactly,
    rule_id: exactly,
    severity: oneOf,
    q: containedIn(['title', 'check_name', 'rule_name']),
  },
});

/** An alert by its id. @throws NotFound */
export const findAlert = async (scope: QueryScope, id: string): Promise<JoinedAlert> => {
  const alert = await own.one(scope, id);
  const summaries = await readNotificationSummaries(scope, [alert]);
  return withDuration(scope, { ...alert, ...summaries(alert) });
};

/** An alert's stored document. @throws NotFound */
export const findAlertDocument = own.one;

/** Returns those of the alerts that belong to the organization, in the order of `ids`. */
export const findAlerts = own.some;

/** Returns the ids of the alerts that match a filter, newest first. */
export const findMatchingAlerts = own.matching;

/** Number of alerts per query. */
const PAGE = 250;

/** Returns those of the ids that belong to alerts of the organization. */
export const findExistingAlertIds = async (
  { read, organizationId }: QueryScope,
  ids: readonly string[],
): Promise<Set<string>> => {
  const known = new Set<string>();
  for (let first = 0; first < ids.length; first += PAGE) {
    const where = { id: { $in: ids.slice(first, first + PAGE) }, organization_id: organizationId };
    for (const { id } of await read(alerts).alerts.pick(['id'], { where })) known.add(id);
  }
  return known;
};

/** Alerts of the organization, newest first. */
export const listAlerts = async (
  scope: QueryScope,
  filters: AlertFilters,
  paging: Paging,
): Promise<Listing<JoinedAlert>> =>
  joinItems(await own.list(scope, filters, paging), async (items) => {
    const summaries = await readNotificationSummaries(scope, items);
    return (alert) => withDuration(scope, { ...alert, ...summaries(alert) });
  });

const withDuration = ({ now }: { now: Instant }, alert: AlertDocument & NotificationSummary): JoinedAlert => ({
  ...alert,
  duration: alert.duration ?? durationOf(alert.fired_at, now),
});
