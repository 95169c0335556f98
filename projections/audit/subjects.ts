import { eventTypes, type EventType, type RecordedEventOf } from '../../domain/event-types.ts';
import { changedFields } from '../../domain/changes.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import { markOf } from '../../domain/managed/managed-by.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { UpdateFields } from '../../domain/incident/fields.ts';
import { shownMoney } from '../../domain/money.ts';
import { regionStreamId } from '../../domain/region/outage.ts';
import { ADDRESS_FIELDS } from '../../domain/subscriber/events.ts';
import { auditChanges, auditCreation, auditDeletion, withoutSecrets } from './changes.ts';
import { conventionsOf, auditSubject, type ConventionalType, type AuditSubject } from './conventions.ts';
import type { FieldChange } from './documents.ts';

type Described<T extends EventType> = ((event: RecordedEventOf<T>) => AuditSubject) | null;

/** Describes every event type that does not follow the conventions. Conventional types can be overridden. */
type Subjects = { [T in Exclude<EventType, ConventionalType>]: Described<T> } & {
  [T in ConventionalType]?: Described<T>;
};

/** Describes an action on an incident update. Updates have no name, so the entry shows the name of the incident. */
const updateSubject = (
  done: string,
  { incident_id, incident_update_id }: { incident_id: string; incident_update_id: string },
  changes: Record<string, FieldChange>,
): AuditSubject => ({
  ...auditSubject('incident_update', done, incident_update_id, changes),
  called: `incident:${incident_id}`,
});

/** Describes an action on a session. The entry shows the name of the session's user. */
const sessionSubject = (
  done: string,
  { session_id, user_id }: { session_id: string; user_id: string },
  changes: Record<string, FieldChange>,
): AuditSubject => ({ ...auditSubject('session', done, session_id, changes), called: `user:${user_id}` });

/** Returns the changes between the previous and the new content of a resource. */
const different = (content: object, previous: object): Record<string, FieldChange> => {
  const fields = changedFields(previous, content);
  return fields ? auditChanges(fields.changes, fields.previous) : {};
};

/** Describes an action on a postmortem. Postmortems have no name, so the entry shows the name of the incident. */
const postmortemSubject = (
  done: string,
  incidentId: string,
  id: string,
  changes: Record<string, FieldChange>,
): AuditSubject => ({
  ...auditSubject('postmortem', done, id, changes),
  called: `incident:${incidentId}`,
});

/** Returns the fields of an update that its audit entries show. */
export const contentOf = ({ body, status, components, deliver_notifications }: UpdateFields) => ({
  body,
  status,
  components,
  deliver_notifications,
});

const addedSubscriber = ({ mode, address, ...added }: RecordedEventOf<'SubscriberAdded'>['data']) => {
  const { phone_country, component_ids, incident_id, deliver_notifications, skip_confirmation_notification } = added;
  const request = { component_ids, incident_id, deliver_notifications, skip_confirmation_notification };
  return { mode, [ADDRESS_FIELDS[mode]]: address, phone_country, ...request };
};

/** Returns the environment variable of each secret, by secret id. */
const shownBindings = (secrets: readonly SecretBinding[]): Record<string, string> =>
  Object.fromEntries(secrets.map(({ secret_id, env_variable }) => [secret_id, env_variable]));

/**
 * Functions that describe the audit entry of an event, by event type. Null for event types without entries, because
 * their events are not actions on resources that callers know. Event types such as `NoteCreated`, `NoteUpdated` and
 * `NoteDeleted` are described by convention (conventions.ts). They are listed here only if some of their fields must
 * not be shown.
 */
const SUBJECTS: Subjects = {
  LogOpened: null,
  LogMarked: null,

  OrganizationCreated: ({ data }) =>
    auditSubject('organization', 'created', data.organization_id, auditCreation({ name: data.name }), data.name),
  OrganizationCreditLimitChanged: ({ data }) =>
    auditSubject('organization', 'updated', data.organization_id, auditChanges(data.changes, data.previous)),
  CreditLimitReached: ({ data: { organization_id, period_start, credit_limit, used } }) =>
    auditSubject(
      'organization',
      'credit_limit_reached',
      organization_id,
      auditCreation({ period_start, credit_limit, used }),
    ),
  OrganizationUpdated: ({ data: { organization_id, changes, previous } }) =>
    auditSubject('organization', 'updated', organization_id, auditChanges(changes, previous), changes.name),
  ApiKeyCreated: ({ data: { api_key_id, name, prefix, role, expires_at, created_by, allowed_ips } }) => ({
    ...auditSubject(
      'api_key',
      'created',
      api_key_id,
      auditCreation({ name, prefix, role, expires_at, created_by, allowed_ips }),
      name,
    ),
    maker: created_by,
  }),
  ApiKeyRevoked: ({ data }) => auditSubject('api_key', 'revoked', data.api_key_id),

  SubscriptionStarted: ({ data: { subscription_id, plan, start_date, end_date, payment_id } }) =>
    auditSubject(
      'subscription',
      'started',
      subscription_id,
      auditCreation({ plan: plan.id, start_date, end_date, payment_id }),
      plan.name,
    ),
  SubscriptionExtended: ({ data: { subscription_id, end_date, previous } }) =>
    auditSubject('subscription', 'extended', subscription_id, auditChanges({ end_date }, previous)),
  SubscriptionEnded: ({ data }) => auditSubject('subscription', 'ended', data.subscription_id),
  SubscriptionNotRenewed: ({ data: { subscription_id, end_date } }) =>
    auditSubject('subscription', 'not_renewed', subscription_id, auditCreation({ end_date })),

  // Entries omit the invoice details.
  PaymentCreated: ({ data: { payment_id, payment, renewal } }) => {
    const { plan, amount, description, period_months, method } = payment;
    const request = { plan_id: plan.id, period_months, amount: shownMoney(amount), method };
    const continued = { subscription_id: renewal?.subscription_id };
    return auditSubject('payment', 'created', payment_id, auditCreation({ description, ...request, ...continued }));
  },
  PaymentAbandoned: null,
  PaymentInvoiced: ({ data: { payment_id, invoice_number } }) =>
    auditSubject('payment', 'invoiced', payment_id, auditCreation({ invoice_number })),
  PaymentSucceeded: ({ data: { payment_id, paid_at } }) =>
    auditSubject('payment', 'succeeded', payment_id, auditCreation({ paid_at })),
  PaymentCanceled: ({ data: { payment_id, canceled_at } }) =>
    auditSubject('payment', 'canceled', payment_id, auditCreation({ canceled_at })),
  // The entry of the payment contains the invoice number.
  InvoiceNumberAssigned: null,

  // Entries never contain passwords, secrets or codes.
  UserInvited: ({ data: { user_id, email, role } }) => ({
    ...auditSubject('user', 'invited', user_id, auditCreation({ email, role })),
    person: { email, first_name: null, last_name: null },
  }),
  UserInvitationAbandoned: null,
  InvitationResent: ({ data }) => auditSubject('user', 'invitation_resent', data.user_id),
  UserJoined: ({ data: { user_id, first_name, last_name } }) => ({
    ...auditSubject('user', 'joined', user_id, auditCreation({ first_name, last_name })),
    person: { first_name, last_name },
  }),
  UserProfileChanged: ({ data: { user_id, changes, previous } }) => ({
    ...auditSubject('user', 'updated', user_id, auditChanges(changes, previous)),
    person: changes,
  }),
  UserRoleChanged: ({ data: { user_id, role, previous } }) =>
    auditSubject('user', 'role_changed', user_id, auditChanges({ role }, { role: previous })),
  UserPasswordChanged: ({ data: { user_id, by } }) =>
    auditSubject('user', 'password_changed', user_id, auditCreation({ by })),
  PasswordResetRequested: ({ data }) => auditSubject('user', 'password_reset_requested', data.user_id),
  SecondFactorEnabled: ({ data }) => auditSubject('user', 'second_factor_enabled', data.user_id),
  RecoveryCodeUsed: ({ data }) => auditSubject('user', 'recovery_code_used', data.user_id),
  SecondFactorDisabled: ({ data: { user_id, by } }) =>
    auditSubject('user', 'second_factor_disabled', user_id, auditCreation({ by })),
  UserRemoved: ({ data }) => auditSubject('user', 'removed', data.user_id),
  UserForgotten: ({ data }) => auditSubject('user', 'forgotten', data.user_id),

  SessionStarted: ({ data }) =>
    sessionSubject('started', data, auditCreation({ user_id: data.user_id, methods: data.methods })),
  SessionEnded: ({ data }) => sessionSubject('ended', data, auditCreation({ reason: data.reason })),
  SignInsFailed: ({ data: { user_id, count, first_at, last_at } }) =>
    auditSubject('user', 'sign_ins_failed', user_id, auditCreation({ count, first_at, last_at })),

  QuotaClaimed: null,
  QuotaReleased: null,
  NameReserved: null,
  NameReleased: null,

  PageCreationAbandoned: null,
  SubdomainChangeAbandoned: null,
  DomainChangeAbandoned: null,
  ComponentAdded: ({ data }) =>
    auditSubject('component', 'created', data.component_id, auditCreation(data.component), data.component.name),
  ComponentUpdated: ({ data }) =>
    auditSubject(
      'component',
      'updated',
      data.component_id,
      auditChanges(data.changes, data.previous),
      data.changes.name,
    ),
  // The service itself holds and releases components.
  ComponentHeld: ({ data: { component_id, holder, status } }) => ({
    ...auditSubject('component', 'held', component_id, auditCreation({ status, alert_id: holder })),
    unlisted: true,
  }),
  ComponentReleased: ({ data: { component_id, holder } }) => ({
    ...auditSubject('component', 'released', component_id, auditCreation({ alert_id: holder })),
    unlisted: true,
  }),
  ComponentRemoved: ({ data }) => auditSubject('component', 'deleted', data.component_id),

  PageSubscribersExported: ({ data: { page_id, mode, status } }) =>
    auditSubject('page', 'subscribers_exported', page_id, auditCreation({ mode, status })),

  // Entries contain neither passwords nor their hashes.
  PagePasswordAdded: ({ data: { password_id, password } }) =>
    auditSubject('page_password', 'created', password_id, auditCreation(password), password.name),
  PagePasswordUpdated: ({ data: { password_id, changes, previous, hash } }) => {
    const replaced = hash ? { password: { old: MASKED_TEXT, new: MASKED_TEXT } } : {};
    return auditSubject(
      'page_password',
      'updated',
      password_id,
      { ...auditChanges(changes, previous), ...replaced },
      changes.name,
    );
  },
  PagePasswordRemoved: ({ data }) => auditSubject('page_password', 'deleted', data.password_id),

  IncidentOpened: ({ data: { incident_id, incident, update } }) =>
    auditSubject(
      'incident',
      'created',
      incident_id,
      auditCreation({ ...incident, ...contentOf(update) }),
      incident.name,
    ),
  MaintenanceScheduled: ({ data: { incident_id, incident, schedule, update } }) =>
    auditSubject(
      'incident',
      'created',
      incident_id,
      auditCreation({ ...incident, ...schedule, ...contentOf(update) }),
      incident.name,
    ),
  PastIncidentLogged: ({ data: { incident_id, incident, updates } }) =>
    auditSubject(
      'incident',
      'created',
      incident_id,
      auditCreation({
        ...incident,
        incident_updates: updates.map((update) => ({ ...contentOf(update), created_at: update.created_at })),
      }),
      incident.name,
    ),
  IncidentChanged: ({ data }) =>
    auditSubject('incident', 'updated', data.incident_id, auditChanges(data.changes, data.previous), data.changes.name),
  IncidentStatusChanged: ({ data }) =>
    auditSubject('incident', 'updated', data.incident_id, {
      ...auditChanges(data.changes, data.previous),
      ...(Object.keys(data.components).length > 0 && auditCreation({ components: data.components })),
    }),
  MaintenanceReminded: ({ data: { incident_id, offset, scheduled_for } }) =>
    auditSubject('incident', 'reminded', incident_id, auditCreation({ offset, scheduled_for })),
  MaintenanceReminderMissed: ({ data: { incident_id, offset, scheduled_for } }) =>
    auditSubject('incident', 'reminder_missed', incident_id, auditCreation({ offset, scheduled_for })),
  IncidentUpdateAppended: ({ data: { incident_id, update } }) =>
    updateSubject('created', { incident_id, incident_update_id: update.id }, auditCreation(contentOf(update))),
  IncidentUpdateEdited: ({ data }) => updateSubject('updated', data, auditChanges(data.changes, data.previous)),
  IncidentUpdateTextWithheld: ({ data }) => updateSubject('withheld', data, {}),
  IncidentUpdateRemoved: ({ data }) => updateSubject('deleted', data, auditDeletion(contentOf(data.update))),

  PostmortemDrafted: ({ data: { incident_id, postmortem_id, draft, previous } }) =>
    postmortemSubject(
      'drafted',
      incident_id,
      postmortem_id,
      previous ? different(draft, previous) : auditCreation(draft),
    ),
  PostmortemUnpublished: ({ data: { incident_id, postmortem_id } }) =>
    postmortemSubject('unpublished', incident_id, postmortem_id, {}),
  PostmortemPublished: ({ data: { incident_id, postmortem_id, body, notify_subscribers } }) =>
    postmortemSubject('published', incident_id, postmortem_id, auditCreation({ body, notify_subscribers })),

  SubscriberAdded: ({ data }) =>
    auditSubject('subscriber', 'created', data.subscriber_id, auditCreation(addedSubscriber(data))),
  // A visitor's request changes nothing until the receiver confirms it.
  SubscriberConfirmationRequested: null,
  SubscriberVerified: ({ data: { subscriber_id, component_ids, incident_id } }) =>
    auditSubject('subscriber', 'verified', subscriber_id, auditCreation({ component_ids, incident_id })),
  SubscriberChanged: ({ data }) =>
    auditSubject('subscriber', 'updated', data.subscriber_id, auditChanges(data.changes, data.previous)),
  SubscriberUnsubscribed: ({ data }) => auditSubject('subscriber', 'unsubscribed', data.subscriber_id),
  SubscriberQuarantined: ({ data: { subscriber_id, reason } }) =>
    auditSubject('subscriber', 'quarantined', subscriber_id, auditCreation({ reason })),
  SubscriberReleased: ({ data }) => auditSubject('subscriber', 'released', data.subscriber_id),
  SubscriberPurged: ({ data: { subscriber_id, reason } }) =>
    auditSubject('subscriber', 'purged', subscriber_id, auditCreation({ reason })),
  SubscriberSecretRotated: ({ data }) => auditSubject('subscriber', 'secret_rotated', data.subscriber_id),
  // A failed challenge is no action. The history of the subscriber contains it.
  SubscriberChallengeFailed: null,

  CheckCreated: ({ data }) => {
    const { check_id, type, name, active, interval, timeout, host, url, port, parameters, group_id, position } = data;
    const bound = data.secrets.length === 0 ? {} : { secrets: shownBindings(data.secrets) };
    const tagged = data.tags.length === 0 ? {} : { tags: data.tags };
    const settings = {
      type,
      name,
      active,
      interval,
      timeout,
      host,
      url,
      port,
      parameters,
      group_id,
      position,
      ...tagged,
      ...markOf(data),
      ...bound,
    };
    return auditSubject('check', 'created', check_id, withoutSecrets(auditCreation(settings)), name);
  },
  CheckCreationAbandoned: null,
  CheckUpdated: ({ data }) =>
    auditSubject(
      'check',
      'updated',
      data.check_id,
      withoutSecrets(auditChanges(data.changes, data.previous)),
      data.changes.name,
    ),
  CheckGrouped: ({ data: { check_id, group_id, position, previous } }) =>
    auditSubject('check', 'grouped', check_id, different({ group_id, position }, previous)),
  CheckSecretsChanged: ({ data: { check_id, secrets, previous } }) =>
    auditSubject(
      'check',
      'secrets_changed',
      check_id,
      auditChanges({ secrets: shownBindings(secrets) }, { secrets: shownBindings(previous) }),
    ),
  CheckMuted: ({ data: { check_id, muted_until, previous } }) =>
    auditSubject('check', 'updated', check_id, auditChanges({ muted_until }, { muted_until: previous })),
  CheckSecretClaimClosed: null,
  // Entries do not contain values, even encrypted ones.
  SecretCreated: ({ data: { secret_id, secret_name, ...data } }) =>
    auditSubject('secret', 'created', secret_id, auditCreation({ secret_name, ...markOf(data) }), secret_name),
  SecretCreationAbandoned: null,
  SecretManagedByChanged: ({ data: { secret_id, managed_by, previous } }) =>
    auditSubject('secret', 'updated', secret_id, auditChanges({ managed_by }, { managed_by: previous })),
  SecretValueChanged: ({ data }) =>
    auditSubject(
      'secret',
      'updated',
      data.secret_id,
      auditChanges({ secret_value: MASKED_TEXT }, { secret_value: MASKED_TEXT }),
    ),
  SecretValueRead: ({ data }) => auditSubject('secret', 'value_read', data.secret_id),
  // The entry of the check shows which secrets it is bound to.
  SecretClaimed: null,
  SecretClaimReleased: null,
  // Entries do not contain hashes of tokens.
  RunnerCreated: ({ data: { runner_id, name, region, private: isPrivate } }) =>
    auditSubject('runner', 'created', runner_id, auditCreation({ name, region, private: isPrivate }), name),
  RunnerRenamed: ({ data: { runner_id, name, previous } }) =>
    auditSubject('runner', 'renamed', runner_id, auditChanges({ name }, previous), name),
  RunnerTokenRotated: ({ data }) => auditSubject('runner', 'token_rotated', data.runner_id),
  RunnerTokenConfirmed: ({ data }) => auditSubject('runner', 'token_confirmed', data.runner_id),
  RunnerConnected: ({ data: { runner_id, instance, release, types } }) =>
    auditSubject('runner', 'connected', runner_id, auditCreation({ instance, release, types })),
  RunnerDisconnected: ({ data: { runner_id, instance, reason } }) =>
    auditSubject('runner', 'disconnected', runner_id, auditCreation({ instance, reason })),
  RunnerRevoked: ({ data }) => auditSubject('runner', 'revoked', data.runner_id),
  RunnerReleased: ({ data }) => auditSubject('runner', 'released', data.runner_id),
  CheckParked: ({ data: { check_id, region, cause } }) =>
    auditSubject('check', 'parked', check_id, auditCreation({ region, cause })),
  CheckRestored: ({ data }) => auditSubject('check', 'restored', data.check_id),
  CheckRestorationAbandoned: null,
  CheckReleased: ({ data }) => auditSubject('check', 'released', data.check_id),
  AlertRuleCreated: ({ data: { rule_id, rule } }) =>
    auditSubject('alert_rule', 'created', rule_id, auditCreation(rule), rule.name),
  AlertRuleUpdated: ({ data }) =>
    auditSubject('alert_rule', 'updated', data.rule_id, auditChanges(data.changes, data.previous), data.changes.name),
  AlertRuleMuted: ({ data: { rule_id, muted_until, previous } }) =>
    auditSubject('alert_rule', 'updated', rule_id, auditChanges({ muted_until }, { muted_until: previous })),
  // Texts of a configuration are masked when the entry is read.
  AlertChannelCreated: ({ data: { channel_id, channel } }) =>
    auditSubject('alert_channel', 'created', channel_id, auditCreation(channel), channel.name),
  AlertChannelUpdated: ({ data: { channel_id, changes, previous } }) =>
    auditSubject('alert_channel', 'updated', channel_id, auditChanges(changes, previous), changes.name),
  AlertChannelDeleted: ({ data }) => auditSubject('alert_channel', 'deleted', data.channel_id),
  AlertChannelChatMoved: ({ data: { channel_id, chat_id, previous_chat_id } }) =>
    auditSubject('alert_channel', 'chat_moved', channel_id, auditChanges({ chat_id }, { chat_id: previous_chat_id })),
  // The entry omits the recipient, which might be a secret or an address.
  AlertChannelTested: ({ data: { channel_id, type, configuration } }) =>
    auditSubject('alert_channel', 'tested', channel_id, auditCreation({ type, configuration })),
  AlertRuleDeleted: ({ data }) => auditSubject('alert_rule', 'deleted', data.rule_id),
  JobQueued: ({ data: { job_id, check_id, check_parameters: definition } }) =>
    check_id === null
      ? auditSubject('job', 'created', job_id, withoutSecrets(auditCreation(definition)), definition.name)
      : auditSubject('check', 'executed', check_id, auditCreation({ job_id }), definition.name),
  EmailDomainConfigured: ({ data: { page_id, domain, from_email, selector } }) =>
    auditSubject('email_domain', 'configured', page_id, auditCreation({ domain, from_email, selector }), domain),
  EmailDomainSenderChanged: ({ data: { page_id, from_email, previous } }) =>
    auditSubject('email_domain', 'updated', page_id, auditChanges({ from_email }, previous)),
  EmailDomainVerified: ({ data: { page_id, domain } }) =>
    auditSubject('email_domain', 'verified', page_id, auditCreation({ domain }), domain),
  EmailDomainFailed: ({ data: { page_id, domain, problems } }) =>
    auditSubject('email_domain', 'failed', page_id, auditCreation({ domain, problems }), domain),
  EmailDomainChecked: null,

  ReportRequested: ({ data: { report_id, report, recipients, scheduled_by } }) =>
    auditSubject('report', 'created', report_id, auditCreation({ ...report, recipients, scheduled_by }), report.name),
  ReportCompleted: ({ data: { report_id } }) => auditSubject('report', 'completed', report_id),
  ReportFailed: ({ data: { report_id, error_message } }) =>
    auditSubject('report', 'failed', report_id, auditCreation({ error_message })),
  // The requested report has an entry of its own.
  ReportRepeated: null,
  // The service itself fires alerts, so there is no entry. The name is stored for later actions on the alert.
  AlertFired: ({ data: { alert_id, title } }) => ({
    ...auditSubject('alert', 'fired', alert_id, {}, title),
    unlisted: true,
  }),
  AlertAcknowledged: ({ data }) => auditSubject('alert', 'acknowledged', data.alert_id),
  AlertResolved: ({ data: { alert_id, resolution, duration } }) => ({
    ...auditSubject('alert', 'resolved', alert_id, auditCreation({ resolution, duration })),
    unlisted: resolution === 'auto',
  }),

  RegionCutOff: ({ data: { region, since, name } }) =>
    auditSubject('region', 'cut_off', regionStreamId(region), auditCreation({ region, since }), name ?? region),
  RegionReconnected: ({ data: { region, since, because, name } }) =>
    auditSubject(
      'region',
      'reconnected',
      regionStreamId(region),
      auditCreation({ region, since, because }),
      name ?? region,
    ),

  // The only effect of this event is that the rule can fire again.
  AlertConditionEnded: null,
  // The mute has its own entry.
  AlertMuteEnded: null,

  // Measurements are no actions. The history of the check contains them.
  CheckCameUp: null,
  CheckWentDown: null,
  CheckRecovered: null,
  HeartbeatWentDown: null,
  HeartbeatRecovered: null,
  HeartbeatPinged: null,
  HeartbeatRescheduled: null,
  CheckRunCompleted: null,
  ResultRaisedAlert: null,
  JobOffered: null,
  JobStarted: null,
  JobCompleted: null,
  JobFailed: null,
  ExecutionGroupStarted: null,
  ExecutionGroupCancelled: null,
  ExecutionGroupTimedOut: null,
  // The service itself ends mailings.
  MailingEnded: null,
  // The following events are in the log `results`, which the audit log does not cover.
  DeliveryPlanned: null,
  DeliveriesPlanned: null,
  DeliveriesDigested: null,
  DeliverySucceeded: null,
  DeliveryAttemptFailed: null,
  DeliveryGivenUp: null,
  DeliveryRetried: null,
  FanOutAdvanced: null,
};

type Describe = (event: { data: object }) => AuditSubject;

const descriptions = new Map<string, Describe>(
  Object.entries(eventTypes).flatMap(([category, definitions]) => {
    // The cast is safe, because the function for each event type takes the data of this event type.
    const described = { ...conventionsOf(category), ...(SUBJECTS as Record<string, Describe | null>) };
    return Object.keys(definitions).flatMap((type): [string, Describe][] => {
      const describe = described[type];
      return describe ? [[type, describe]] : [];
    });
  }),
);

/** Event types that appear in the audit log. */
export const AUDITED_EVENT_TYPES = [...descriptions.keys()] as readonly EventType[];

/** Describes the audit entry of an event. Returns null if the event has no entry. */
export const auditSubjectOf = (event: Pick<RecordedEvent, 'type' | 'data'>): AuditSubject | null =>
  descriptions.get(event.type)?.(event) ?? null;
