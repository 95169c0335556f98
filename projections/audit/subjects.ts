import { catalogue, type EventType, type RecordedEventOf } from '../../domain/event-types.ts';
import { changedFields } from '../../domain/changes.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import { MASK } from '../../domain/masking.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { UpdateFields } from '../../domain/incident/fields.ts';
import { shownMoney } from '../../domain/money.ts';
import { regionStreamId } from '../../domain/region/outage.ts';
import { ADDRESS_FIELDS } from '../../domain/subscriber/events.ts';
import { changed, introduced, removed, withoutSecrets } from './changes.ts';
import { conventionsOf, subject, type ConventionalType, type Subject } from './conventions.ts';
import type { Change } from './documents.ts';

type Described<T extends EventType> = ((event: RecordedEventOf<T>) => Subject) | null;

/** Every event type must be described here, except conventional ones, which may be overridden here. */
type Subjects = { [T in Exclude<EventType, ConventionalType>]: Described<T> } & {
  [T in ConventionalType]?: Described<T>;
};

/** An incident update has no name; the entry shows that of its incident. */
const updateSubject = (
  done: string,
  { incident_id, incident_update_id }: { incident_id: string; incident_update_id: string },
  changes: Record<string, Change>,
): Subject => ({
  ...subject('incident_update', done, incident_update_id, changes),
  called: `incident:${incident_id}`,
});

/** The entry for a session shows the name of its user. */
const sessionSubject = (
  done: string,
  { session_id, user_id }: { session_id: string; user_id: string },
  changes: Record<string, Change>,
): Subject => ({ ...subject('session', done, session_id, changes), called: `user:${user_id}` });

/** The fields that differ between two complete contents. */
const different = (content: object, previous: object): Record<string, Change> => {
  const fields = changedFields(previous, content);
  return fields ? changed(fields.changes, fields.previous) : {};
};

/** A postmortem has no name; the entry shows that of its incident. */
const postmortemSubject = (done: string, incidentId: string, id: string, changes: Record<string, Change>): Subject => ({
  ...subject('postmortem', done, id, changes),
  called: `incident:${incidentId}`,
});

const contentOf = ({ body, status, components, deliver_notifications }: UpdateFields) => ({
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

/** The environment variable of each secret. */
const shownBindings = (secrets: readonly SecretBinding[]): Record<string, string> =>
  Object.fromEntries(secrets.map(({ secret_id, env_variable }) => [secret_id, env_variable]));

/**
 * The audit entry of an event type; null: none, because it is no action on a resource known to callers. `NoteCreated {
 * note_id, note }`, `NoteUpdated { note_id, changes, previous }` and `NoteDeleted { note_id }` of the category `note`
 * need no line (conventions.ts), unless some of their fields must not be shown.
 */
const SUBJECTS: Subjects = {
  LogOpened: null,
  LogMarked: null,

  OrganizationCreated: ({ data }) =>
    subject('organization', 'created', data.organization_id, introduced({ name: data.name }), data.name),
  OrganizationCreditLimitChanged: ({ data }) =>
    subject('organization', 'updated', data.organization_id, changed(data.changes, data.previous)),
  CreditLimitReached: ({ data: { organization_id, period_start, credit_limit, used } }) =>
    subject('organization', 'credit_limit_reached', organization_id, introduced({ period_start, credit_limit, used })),
  OrganizationUpdated: ({ data: { organization_id, changes, previous } }) =>
    subject('organization', 'updated', organization_id, changed(changes, previous), changes.name),
  ApiKeyCreated: ({ data: { api_key_id, name, prefix, role, expires_at, created_by, allowed_ips } }) => ({
    ...subject(
      'api_key',
      'created',
      api_key_id,
      introduced({ name, prefix, role, expires_at, created_by, allowed_ips }),
      name,
    ),
    maker: created_by,
  }),
  ApiKeyRevoked: ({ data }) => subject('api_key', 'revoked', data.api_key_id),

  SubscriptionStarted: ({ data: { subscription_id, plan, start_date, end_date, payment_id } }) =>
    subject(
      'subscription',
      'started',
      subscription_id,
      introduced({ plan: plan.id, start_date, end_date, payment_id }),
      plan.name,
    ),
  SubscriptionExtended: ({ data: { subscription_id, end_date, previous } }) =>
    subject('subscription', 'extended', subscription_id, changed({ end_date }, previous)),
  SubscriptionEnded: ({ data }) => subject('subscription', 'ended', data.subscription_id),
  SubscriptionNotRenewed: ({ data: { subscription_id, end_date } }) =>
    subject('subscription', 'not_renewed', subscription_id, introduced({ end_date })),

  // The invoice details are visible only to the organization.
  PaymentCreated: ({ data: { payment_id, payment, renewal } }) => {
    const { plan, amount, description, period_months, method } = payment;
    const request = { plan_id: plan.id, period_months, amount: shownMoney(amount), method };
    const continued = { subscription_id: renewal?.subscription_id };
    return subject('payment', 'created', payment_id, introduced({ description, ...request, ...continued }));
  },
  PaymentAbandoned: null,
  PaymentInvoiced: ({ data: { payment_id, invoice_number } }) =>
    subject('payment', 'invoiced', payment_id, introduced({ invoice_number })),
  PaymentSucceeded: ({ data: { payment_id, paid_at } }) =>
    subject('payment', 'succeeded', payment_id, introduced({ paid_at })),
  PaymentCanceled: ({ data: { payment_id, canceled_at } }) =>
    subject('payment', 'canceled', payment_id, introduced({ canceled_at })),
  // The payment's entry has the number.
  InvoiceNumberAssigned: null,

  // Entries never contain passwords, secrets or codes.
  UserInvited: ({ data: { user_id, email, role } }) => ({
    ...subject('user', 'invited', user_id, introduced({ email, role })),
    person: { email, first_name: null, last_name: null },
  }),
  UserInvitationAbandoned: null,
  InvitationResent: ({ data }) => subject('user', 'invitation_resent', data.user_id),
  UserJoined: ({ data: { user_id, first_name, last_name } }) => ({
    ...subject('user', 'joined', user_id, introduced({ first_name, last_name })),
    person: { first_name, last_name },
  }),
  UserProfileChanged: ({ data: { user_id, changes, previous } }) => ({
    ...subject('user', 'updated', user_id, changed(changes, previous)),
    person: changes,
  }),
  UserRoleChanged: ({ data: { user_id, role, previous } }) =>
    subject('user', 'role_changed', user_id, changed({ role }, { role: previous })),
  UserPasswordChanged: ({ data: { user_id, by } }) => subject('user', 'password_changed', user_id, introduced({ by })),
  PasswordResetRequested: ({ data }) => subject('user', 'password_reset_requested', data.user_id),
  SecondFactorEnabled: ({ data }) => subject('user', 'second_factor_enabled', data.user_id),
  RecoveryCodeUsed: ({ data }) => subject('user', 'recovery_code_used', data.user_id),
  SecondFactorDisabled: ({ data: { user_id, by } }) =>
    subject('user', 'second_factor_disabled', user_id, introduced({ by })),
  UserRemoved: ({ data }) => subject('user', 'removed', data.user_id),
  UserForgotten: ({ data }) => subject('user', 'forgotten', data.user_id),

  SessionStarted: ({ data }) =>
    sessionSubject('started', data, introduced({ user_id: data.user_id, methods: data.methods })),
  SessionEnded: ({ data }) => sessionSubject('ended', data, introduced({ reason: data.reason })),
  SignInsFailed: ({ data: { user_id, count, first_at, last_at } }) =>
    subject('user', 'sign_ins_failed', user_id, introduced({ count, first_at, last_at })),

  QuotaClaimed: null,
  QuotaReleased: null,
  NameReserved: null,
  NameReleased: null,

  PageCreationAbandoned: null,
  SubdomainChangeAbandoned: null,
  DomainChangeAbandoned: null,
  ComponentAdded: ({ data }) =>
    subject('component', 'created', data.component_id, introduced(data.component), data.component.name),
  ComponentUpdated: ({ data }) =>
    subject('component', 'updated', data.component_id, changed(data.changes, data.previous), data.changes.name),
  // The service does this itself.
  ComponentHeld: ({ data: { component_id, holder, status } }) => ({
    ...subject('component', 'held', component_id, introduced({ status, alert_id: holder })),
    unlisted: true,
  }),
  ComponentReleased: ({ data: { component_id, holder } }) => ({
    ...subject('component', 'released', component_id, introduced({ alert_id: holder })),
    unlisted: true,
  }),
  ComponentRemoved: ({ data }) => subject('component', 'deleted', data.component_id),

  PageSubscribersExported: ({ data: { page_id, mode, status } }) =>
    subject('page', 'subscribers_exported', page_id, introduced({ mode, status })),

  // Entries contain neither passwords nor their hashes.
  PagePasswordAdded: ({ data: { password_id, password } }) =>
    subject('page_password', 'created', password_id, introduced(password), password.name),
  PagePasswordUpdated: ({ data: { password_id, changes, previous, hash } }) => {
    const replaced = hash ? { password: { old: MASK, new: MASK } } : {};
    return subject(
      'page_password',
      'updated',
      password_id,
      { ...changed(changes, previous), ...replaced },
      changes.name,
    );
  },
  PagePasswordRemoved: ({ data }) => subject('page_password', 'deleted', data.password_id),

  IncidentOpened: ({ data: { incident_id, incident, update } }) =>
    subject('incident', 'created', incident_id, introduced({ ...incident, ...contentOf(update) }), incident.name),
  MaintenanceScheduled: ({ data: { incident_id, incident, schedule, update } }) =>
    subject(
      'incident',
      'created',
      incident_id,
      introduced({ ...incident, ...schedule, ...contentOf(update) }),
      incident.name,
    ),
  PastIncidentLogged: ({ data: { incident_id, incident, updates } }) =>
    subject(
      'incident',
      'created',
      incident_id,
      introduced({
        ...incident,
        incident_updates: updates.map((update) => ({ ...contentOf(update), created_at: update.created_at })),
      }),
      incident.name,
    ),
  IncidentChanged: ({ data }) =>
    subject('incident', 'updated', data.incident_id, changed(data.changes, data.previous), data.changes.name),
  IncidentStatusChanged: ({ data }) =>
    subject('incident', 'updated', data.incident_id, {
      ...changed(data.changes, data.previous),
      ...(Object.keys(data.components).length > 0 && introduced({ components: data.components })),
    }),
  MaintenanceReminded: ({ data: { incident_id, offset, scheduled_for } }) =>
    subject('incident', 'reminded', incident_id, introduced({ offset, scheduled_for })),
  MaintenanceReminderMissed: ({ data: { incident_id, offset, scheduled_for } }) =>
    subject('incident', 'reminder_missed', incident_id, introduced({ offset, scheduled_for })),
  IncidentUpdateAppended: ({ data: { incident_id, update } }) =>
    updateSubject('created', { incident_id, incident_update_id: update.id }, introduced(contentOf(update))),
  IncidentUpdateEdited: ({ data }) => updateSubject('updated', data, changed(data.changes, data.previous)),
  IncidentUpdateTextWithheld: ({ data }) => updateSubject('withheld', data, {}),
  IncidentUpdateRemoved: ({ data }) => updateSubject('deleted', data, removed(contentOf(data.update))),

  PostmortemDrafted: ({ data: { incident_id, postmortem_id, draft, previous } }) =>
    postmortemSubject('drafted', incident_id, postmortem_id, previous ? different(draft, previous) : introduced(draft)),
  PostmortemUnpublished: ({ data: { incident_id, postmortem_id } }) =>
    postmortemSubject('unpublished', incident_id, postmortem_id, {}),
  PostmortemPublished: ({ data: { incident_id, postmortem_id, body, notify_subscribers } }) =>
    postmortemSubject('published', incident_id, postmortem_id, introduced({ body, notify_subscribers })),

  SubscriberAdded: ({ data }) =>
    subject('subscriber', 'created', data.subscriber_id, introduced(addedSubscriber(data))),
  // A visitor's request changes nothing unless the address confirms it.
  SubscriberConfirmationRequested: null,
  SubscriberVerified: ({ data: { subscriber_id, component_ids, incident_id } }) =>
    subject('subscriber', 'verified', subscriber_id, introduced({ component_ids, incident_id })),
  SubscriberChanged: ({ data }) =>
    subject('subscriber', 'updated', data.subscriber_id, changed(data.changes, data.previous)),
  SubscriberUnsubscribed: ({ data }) => subject('subscriber', 'unsubscribed', data.subscriber_id),
  SubscriberQuarantined: ({ data: { subscriber_id, reason } }) =>
    subject('subscriber', 'quarantined', subscriber_id, introduced({ reason })),
  SubscriberReleased: ({ data }) => subject('subscriber', 'released', data.subscriber_id),
  SubscriberPurged: ({ data: { subscriber_id, reason } }) =>
    subject('subscriber', 'purged', subscriber_id, introduced({ reason })),
  SubscriberSecretRotated: ({ data }) => subject('subscriber', 'secret_rotated', data.subscriber_id),
  // An attempt, not an action; it is in the subscriber's history.
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
      ...bound,
    };
    return subject('check', 'created', check_id, withoutSecrets(introduced(settings)), name);
  },
  CheckCreationAbandoned: null,
  CheckUpdated: ({ data }) =>
    subject('check', 'updated', data.check_id, withoutSecrets(changed(data.changes, data.previous)), data.changes.name),
  CheckGrouped: ({ data: { check_id, group_id, position, previous } }) =>
    subject('check', 'grouped', check_id, different({ group_id, position }, previous)),
  CheckSecretsChanged: ({ data: { check_id, secrets, previous } }) =>
    subject(
      'check',
      'secrets_changed',
      check_id,
      changed({ secrets: shownBindings(secrets) }, { secrets: shownBindings(previous) }),
    ),
  CheckMuted: ({ data: { check_id, muted_until, previous } }) =>
    subject('check', 'updated', check_id, changed({ muted_until }, { muted_until: previous })),
  CheckSecretClaimClosed: null,
  // Entries do not contain values, even encrypted ones.
  SecretCreated: ({ data: { secret_id, secret_name } }) =>
    subject('secret', 'created', secret_id, introduced({ secret_name }), secret_name),
  SecretCreationAbandoned: null,
  SecretValueChanged: ({ data }) =>
    subject('secret', 'updated', data.secret_id, changed({ secret_value: MASK }, { secret_value: MASK })),
  SecretValueRead: ({ data }) => subject('secret', 'value_read', data.secret_id),
  // The check's entry shows the binding.
  SecretClaimed: null,
  SecretClaimReleased: null,
  // Entries do not contain hashes of tokens.
  RunnerCreated: ({ data: { runner_id, name, region, private: isPrivate } }) =>
    subject('runner', 'created', runner_id, introduced({ name, region, private: isPrivate }), name),
  RunnerRenamed: ({ data: { runner_id, name, previous } }) =>
    subject('runner', 'renamed', runner_id, changed({ name }, previous), name),
  RunnerTokenRotated: ({ data }) => subject('runner', 'token_rotated', data.runner_id),
  RunnerTokenConfirmed: ({ data }) => subject('runner', 'token_confirmed', data.runner_id),
  RunnerConnected: ({ data: { runner_id, instance, release, types } }) =>
    subject('runner', 'connected', runner_id, introduced({ instance, release, types })),
  RunnerDisconnected: ({ data: { runner_id, instance, reason } }) =>
    subject('runner', 'disconnected', runner_id, introduced({ instance, reason })),
  RunnerRevoked: ({ data }) => subject('runner', 'revoked', data.runner_id),
  RunnerReleased: ({ data }) => subject('runner', 'released', data.runner_id),
  CheckParked: ({ data: { check_id, region, cause } }) =>
    subject('check', 'parked', check_id, introduced({ region, cause })),
  CheckRestored: ({ data }) => subject('check', 'restored', data.check_id),
  CheckRestorationAbandoned: null,
  CheckReleased: ({ data }) => subject('check', 'released', data.check_id),
  AlertRuleCreated: ({ data: { rule_id, rule } }) =>
    subject('alert_rule', 'created', rule_id, introduced(rule), rule.name),
  AlertRuleUpdated: ({ data }) =>
    subject('alert_rule', 'updated', data.rule_id, changed(data.changes, data.previous), data.changes.name),
  AlertRuleMuted: ({ data: { rule_id, muted_until, previous } }) =>
    subject('alert_rule', 'updated', rule_id, changed({ muted_until }, { muted_until: previous })),
  // Texts of a configuration are masked when the entry is read.
  AlertChannelCreated: ({ data: { channel_id, channel } }) =>
    subject('alert_channel', 'created', channel_id, introduced(channel), channel.name),
  AlertChannelUpdated: ({ data: { channel_id, changes, previous } }) =>
    subject('alert_channel', 'updated', channel_id, changed(changes, previous), changes.name),
  AlertChannelDeleted: ({ data }) => subject('alert_channel', 'deleted', data.channel_id),
  AlertChannelChatMoved: ({ data: { channel_id, chat_id, previous_chat_id } }) =>
    subject('alert_channel', 'chat_moved', channel_id, changed({ chat_id }, { chat_id: previous_chat_id })),
  // The entry omits the recipient, which may be a secret or an address.
  AlertChannelTested: ({ data: { channel_id, type, configuration } }) =>
    subject('alert_channel', 'tested', channel_id, introduced({ type, configuration })),
  AlertRuleDeleted: ({ data }) => subject('alert_rule', 'deleted', data.rule_id),
  JobQueued: ({ data: { job_id, check_id, check_parameters: definition } }) =>
    check_id === null
      ? subject('job', 'created', job_id, withoutSecrets(introduced(definition)), definition.name)
      : subject('check', 'executed', check_id, introduced({ job_id }), definition.name),
  EmailDomainConfigured: ({ data: { page_id, domain, from_email, selector } }) =>
    subject('email_domain', 'configured', page_id, introduced({ domain, from_email, selector }), domain),
  EmailDomainSenderChanged: ({ data: { page_id, from_email, previous } }) =>
    subject('email_domain', 'updated', page_id, changed({ from_email }, previous)),
  EmailDomainVerified: ({ data: { page_id, domain } }) =>
    subject('email_domain', 'verified', page_id, introduced({ domain }), domain),
  EmailDomainFailed: ({ data: { page_id, domain, problems } }) =>
    subject('email_domain', 'failed', page_id, introduced({ domain, problems }), domain),
  EmailDomainChecked: null,

  ReportRequested: ({ data: { report_id, report, recipients, scheduled_by } }) =>
    subject('report', 'created', report_id, introduced({ ...report, recipients, scheduled_by }), report.name),
  ReportCompleted: ({ data: { report_id } }) => subject('report', 'completed', report_id),
  ReportFailed: ({ data: { report_id, error_message } }) =>
    subject('report', 'failed', report_id, introduced({ error_message })),
  // The report that it requests has an entry.
  ReportRepeated: null,
  // The service does this itself; the name is stored for later actions on the alert.
  AlertFired: ({ data: { alert_id, title } }) => ({
    ...subject('alert', 'fired', alert_id, {}, title),
    unlisted: true,
  }),
  AlertAcknowledged: ({ data }) => subject('alert', 'acknowledged', data.alert_id),
  AlertResolved: ({ data: { alert_id, resolution, duration } }) => ({
    ...subject('alert', 'resolved', alert_id, introduced({ resolution, duration })),
    unlisted: resolution === 'auto',
  }),

  RegionCutOff: ({ data: { region, since, name } }) =>
    subject('region', 'cut_off', regionStreamId(region), introduced({ region, since }), name ?? region),
  RegionReconnected: ({ data: { region, since, because, name } }) =>
    subject('region', 'reconnected', regionStreamId(region), introduced({ region, since, because }), name ?? region),

  // It only allows the rule to fire again.
  AlertConditionEnded: null,
  // The mute has its own entry.
  AlertMuteEnded: null,

  // Measurements are not actions; they are in the check's history.
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
  // The service does this itself.
  MailingEnded: null,
  // The results log has its own history.
  DeliveryPlanned: null,
  DeliveriesPlanned: null,
  DeliveriesDigested: null,
  DeliverySucceeded: null,
  DeliveryAttemptFailed: null,
  DeliveryGivenUp: null,
  DeliveryRetried: null,
  FanOutAdvanced: null,
};

type Describe = (event: { data: object }) => Subject;

const descriptions = new Map<string, Describe>(
  Object.entries(catalogue).flatMap(([category, definitions]) => {
    // For each type, the table contains a function of that type's event.
    const described = { ...conventionsOf(category), ...(SUBJECTS as Record<string, Describe | null>) };
    return Object.keys(definitions).flatMap((type): [string, Describe][] => {
      const describe = described[type];
      return describe ? [[type, describe]] : [];
    });
  }),
);

/** Event types that appear in the audit log. */
export const AUDITED = [...descriptions.keys()] as readonly EventType[];

/** The audit entry of an event; null: none. */
export const subjectOf = (event: Pick<RecordedEvent, 'type' | 'data'>): Subject | null =>
  descriptions.get(event.type)?.(event) ?? null;
