import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPageFields } from '../../../domain/page/decide.ts';
import type { UpdateFields } from '../../../domain/incident/fields.ts';
import { derivedId } from '../../../domain/identity.ts';
import { audit } from '../../../projections/audit/projection.ts';
import type { AuditDocument } from '../../../projections/audit/documents.ts';
import {
  sealedUnder,
  secretRotated,
  SUBSCRIBER,
  subscriberAdded,
  subscriberChanged,
  subscriberDeleted,
  subscriberPurged,
  subscriberQuarantined,
  subscriberReleased,
  subscriberUnsubscribed,
  subscriberVerified,
} from '../../domain/subscriber/examples.ts';
import { configured, failed, verified } from '../../domain/email-domain/examples.ts';
import { acknowledged, at as onDay, closed, fired, resolved } from '../../domain/alert/examples.ts';
import * as channels from '../../domain/alert-channel/examples.ts';
import * as rules from '../../domain/alert-rule/examples.ts';
import { checkRestored } from '../../domain/check/examples.ts';
import * as groups from '../../domain/check-group/examples.ts';
import * as templates from '../../domain/incident-template/examples.ts';
import * as organization from '../../domain/organization/examples.ts';
import * as heartbeats from '../../domain/heartbeat/examples.ts';
import * as secrets from '../../domain/secret/examples.ts';
import * as runners from '../../domain/runner/examples.ts';
import * as reports from '../../domain/report/examples.ts';
import { regionCutOff, regionReconnected } from '../../domain/region/examples.ts';
import { componentHeld, componentReleased, PAGE } from '../../domain/page/examples.ts';
import { goldenEvents } from '../../golden/golden.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const at = '2026-11-20T15:00:00.000000';
const page = newPageFields({ name: 'Acme', subdomain: 'acme' });
const ids = { incident_id: 'inc1', page_id: 'page1' };
const update = (id: string, changes: Partial<UpdateFields> = {}): UpdateFields => ({
  id,
  body: 'We look into it.',
  status: 'investigating',
  status_sent: true,
  components: { comp1: 'major_outage' },
  deliver_notifications: true,
  created_at: at,
  ...changes,
});
const incident = { name: 'Checkout fails', impact: 'critical', metadata: null } as const;
const schedule = {
  scheduled_for: at,
  scheduled_until: '2026-11-20T16:00:00.000000',
  scheduled_remind_prior: false,
  reminder_intervals: null,
  scheduled_auto_in_progress: false,
  scheduled_auto_completed: false,
  auto_transition_to_maintenance_state: false,
  auto_transition_to_operational_state: false,
  auto_transition_deliver_notifications_at_start: false,
  auto_transition_deliver_notifications_at_end: false,
};
const sealed = (text: string) => ({ key: 'check-check1', sealed: `sealed ${text}` });
const request = (password: string) => ({
  http_request: {
    username: sealed('me'),
    password: sealed(password),
    headers: { 'X-Api-Key': sealed('k'), Accept: sealed('v') },
  },
});
const definition = {
  name: 'Front page',
  type: 'web',
  url: 'https://example.com/',
  host: null,
  port: null,
  timeout: 10,
  parameters: request('new'),
} as const;
const key = { organization_id: 'acme', api_key_id: 'key1', hash: 'a'.repeat(64) };

const draft = { body_draft: 'Why', notify_subscribers: true };

const alertFacts: Fact[] = [
  fired(1),
  acknowledged(1),
  closed(1, onDay('15:10:01'), 600),
  fired(2),
  resolved(2, onDay('16:00:01'), 60),
];

/** Facts about alerting and monitoring. */
const watchingFacts: Fact[] = [
  channels.created,
  channels.disabled,
  channels.moved,
  channels.tested,
  channels.deleted,
  rules.created,
  rules.disabled,
  rules.muted,
  rules.deleted,
  groups.groupCreated(),
  groups.paused,
  {
    type: 'CheckGrouped',
    data: {
      check_id: 'check1',
      group_id: 'group1',
      position: 1,
      previous: { group_id: null, position: null },
    },
  },
  { type: 'CheckMuted', data: { check_id: 'check1', muted_until: at, previous: null } },
  groups.groupDeleted,
  heartbeats.created(),
  heartbeats.updated('12:05', { name: 'Backups' }),
  { type: 'HeartbeatDeleted', data: { heartbeat_id: heartbeats.HEARTBEAT, deleted_at: at } },
  reports.requested(),
  reports.completed,
  { type: 'ReportFailed', data: { report_id: reports.REPORT_ID, failed_at: at, error_message: 'Its page is gone.' } },
  { type: 'ReportDeleted', data: { report_id: reports.REPORT_ID, deleted_at: at } },
];

const templateFacts: Fact[] = [
  templates.templateCreated({ body: 'We look into it.' }),
  templates.templateUpdated({ name: 'Old', status: 'identified' }, { name: 'Outage', status: null }),
  templates.templateDeleted,
];

const golden = goldenEvents();
const goldenFact = (name: string): Fact => {
  const { type, data } = golden.get(name) ?? {};
  return { type, data } as Fact;
};

/** Facts about users and subscriptions of the organization. */
const peopleFacts: Fact[] = [
  ...organization.USER_EVENTS,
  organization.updated,
  organization.subscribed,
  organization.extended,
  organization.notRenewed,
  organization.subscriptionEnded,
  ...['PaymentCreated@1', 'PaymentInvoiced@1', 'PaymentSucceeded@1', 'PaymentCanceled@1'].map(goldenFact),
];

/** Facts about regions that were cut off, and about automatic changes of pages by alerts. */
const regionFacts = [regionCutOff(), regionReconnected({ because: 'not_remote' })];
const heldFacts: Fact[] = [componentHeld('comp1', 'alert1', 'major_outage'), componentReleased('comp1', 'alert1')];

const facts: Fact[] = [
  { type: 'OrganizationCreated', data: { organization_id: 'acme', name: 'Acme' } },
  {
    type: 'ApiKeyCreated',
    data: {
      ...key,
      name: 'Deploys',
      prefix: 'upt_abcd',
      role: 'editor',
      expires_at: null,
      origin: 'request',
      created_by: null,
      created_by_key: null,
      allowed_ips: [],
    },
  },
  { type: 'ApiKeyRevoked', data: key },
  {
    type: 'OrganizationCreditLimitChanged',
    data: { organization_id: 'acme', changes: { credit_limit: 500 }, previous: { credit_limit: null } },
  },
  {
    type: 'CreditLimitReached',
    data: { organization_id: 'acme', period_start: '2026-11-01T00:00:00.000000', credit_limit: 500, used: 501 },
  },
  { type: 'PageCreated', data: { page_id: 'page1', created_at: at, page, claims: {} } },
  {
    type: 'PageUpdated',
    data: {
      page_id: 'page1',
      changed_at: at,
      changes: { name: 'Acme status', domain: 'status.example.com' },
      previous: { name: 'Acme', domain: null },
      claims: {},
    },
  },
  {
    type: 'ComponentAdded',
    data: {
      page_id: 'page1',
      component_id: 'comp1',
      created_at: at,
      component: {
        name: 'API',
        description: null,
        group: false,
        group_id: null,
        position: 1,
        showcase: true,
        only_show_if_degraded: false,
        start_date: null,
        check_id: null,
        check_tag: null,
        show_response_times: false,
        status: 'operational',
      },
    },
  },
  {
    type: 'ComponentUpdated',
    data: {
      page_id: 'page1',
      component_id: 'comp1',
      changed_at: at,
      changes: { status: 'partial_outage' },
      previous: { status: 'operational' },
    },
  },
  { type: 'IncidentOpened', data: { ...ids, created_at: at, incident, update: update('upd1') } },
  {
    type: 'IncidentChanged',
    data: { ...ids, changed_at: at, changes: { impact: 'minor' }, previous: { impact: 'critical' } },
  },
  {
    type: 'IncidentStatusChanged',
    data: {
      ...ids,
      changed_at: at,
      changes: { status: 'monitoring' },
      previous: { status: 'investigating' },
      components: {},
      automatic: false,
      deliver_notifications: false,
    },
  },
  { type: 'IncidentUpdateAppended', data: { ...ids, update: update('upd2', { body: 'It is mended.' }) } },
  {
    type: 'IncidentUpdateEdited',
    data: {
      ...ids,
      incident_update_id: 'upd2',
      edited_at: at,
      changes: { body: 'It works.' },
      previous: { body: 'It is mended.' },
    },
  },
  { type: 'IncidentUpdateTextWithheld', data: { ...ids, incident_update_id: 'upd2', withheld_at: at } },
  {
    type: 'IncidentUpdateRemoved',
    data: { ...ids, incident_update_id: 'upd2', removed_at: at, update: update('upd2') },
  },
  {
    type: 'PostmortemDrafted',
    data: { ...ids, postmortem_id: 'post1', drafted_at: at, draft, previous: null, preview_key: sealed('preview') },
  },
  {
    type: 'PostmortemPublished',
    data: { ...ids, postmortem_id: 'post1', body: 'Why', notify_subscribers: true, published_at: at },
  },
  {
    type: 'PostmortemUnpublished',
    data: { ...ids, postmortem_id: 'post1', unpublished_at: at, preview_key: sealed('preview') },
  },
  { type: 'IncidentDeleted', data: { ...ids, deleted_at: at } },
  {
    type: 'MaintenanceScheduled',
    data: { incident_id: 'inc2', page_id: 'page1', created_at: at, incident, schedule, update: update('upd3') },
  },
  {
    type: 'MaintenanceReminded',
    data: { incident_id: 'inc2', page_id: 'page1', offset: '1h', scheduled_for: at, reminded_at: at },
  },
  {
    type: 'MaintenanceReminderMissed',
    data: { incident_id: 'inc2', page_id: 'page1', offset: '5m', scheduled_for: at, missed_at: at },
  },
  {
    type: 'PastIncidentLogged',
    data: { incident_id: 'inc3', page_id: 'page1', logged_at: at, incident, updates: [update('upd4')] },
  },
  {
    type: 'CheckCreated',
    data: {
      check_id: 'check1',
      organization_id: 'acme',
      type: 'web',
      name: 'Front page',
      active: true,
      interval: 60,
      timeout: 10,
      host: null,
      url: 'https://example.com/',
      port: null,
      parameters: request('old'),
      group_id: 'group1',
      position: 2,
      tags: [],
      secrets: [],
    },
  },
  {
    type: 'CheckUpdated',
    data: {
      check_id: 'check1',
      changes: { interval: 30, parameters: request('new') },
      previous: { interval: 60, parameters: request('old') },
    },
  },
  {
    type: 'JobQueued',
    data: {
      job_id: 'job1',
      organization_id: 'acme',
      job_type: 'existing_check',
      check_id: 'check1',
      check_parameters: definition,
      user_id: null,
    },
  },
  {
    type: 'JobQueued',
    data: {
      job_id: 'job2',
      organization_id: 'acme',
      job_type: 'custom_check',
      check_id: null,
      check_parameters: { ...definition, name: 'By hand' },
      user_id: null,
    },
  },
  {
    type: 'CheckParked',
    data: { check_id: 'check1', run_id: 'run1', region: 'EU, West', at, cause: 'it was ended by SIGABRT' },
  },
  { type: 'CheckReleased', data: { check_id: 'check1' } },
  secrets.secretCreated(),
  {
    type: 'CheckSecretsChanged',
    data: {
      check_id: 'check1',
      secrets: [{ id: 'binding1', secret_id: secrets.SECRET, env_variable: 'TOKEN', claim: 1 }],
      previous: [],
    },
  },
  secrets.managedByChanged(),
  secrets.valueChanged(),
  secrets.valueRead,
  secrets.secretDeleted,
  { type: 'CheckDeleted', data: { check_id: 'check1' } },
  checkRestored({ check_id: 'check1' }),
  { type: 'ComponentRemoved', data: { page_id: 'page1', component_id: 'comp1', removed_at: at } },
  subscriberAdded({ component_ids: ['comp1'] }),
  subscriberVerified(),
  subscriberChanged({ deliver_notifications: false }, { deliver_notifications: true }),
  subscriberQuarantined(),
  subscriberReleased(),
  secretRotated(),
  subscriberUnsubscribed(),
  subscriberDeleted(),
  subscriberPurged(),
  configured(),
  {
    type: 'EmailDomainSenderChanged',
    data: {
      page_id: PAGE,
      changed_at: at,
      from_email: 'news@example.com',
      previous: { from_email: 'status@example.com' },
    },
  },
  verified(at),
  failed(at, ['The key is gone.']),
  {
    type: 'PagePasswordAdded',
    data: {
      page_id: 'page1',
      password_id: 'password1',
      created_at: at,
      password: { name: 'Customers', password_hint: 'As ever', active: true, expires_at: null },
      hash: { key: 'page_passwords-page1', sealed: 'hash' },
    },
  },
  {
    type: 'PagePasswordUpdated',
    data: {
      page_id: 'page1',
      password_id: 'password1',
      changed_at: at,
      changes: { active: false },
      previous: { active: true },
      hash: { key: 'page_passwords-page1', sealed: 'hash' },
    },
  },
  { type: 'PagePasswordRemoved', data: { page_id: 'page1', password_id: 'password1', removed_at: at } },
  { type: 'PageSubscribersExported', data: { page_id: 'page1', mode: ['email'], exported_at: at } },
  { type: 'PageDeleted', data: { page_id: 'page1', deleted_at: at } },
  runners.runnerCreated(),
  runners.runnerRenamed('Cellar'),
  runners.tokenRotated(at),
  runners.tokenConfirmed,
  runners.runnerConnected(),
  runners.runnerDisconnected(),
  runners.runnerRevoked,
  runners.runnerReleased,
];

const entries = async (): Promise<AuditDocument[]> => {
  const documents = await projection(audit)
    .given(...facts)
    .documents('audit_logs');
  return documents.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
};
const entryOf = async (type: Fact['type']): Promise<AuditDocument> => {
  const entry = (await entries())[facts.findIndex((fact) => fact.type === type)];
  if (!entry) throw new Error(`no entry of ${type}`);
  return entry;
};

const test = suite('the audit log');

test('an audit entry shows who did what to which resource, and from where', async () => {
  const clientAddress = { key: 'api_key-key1', sealed: 'address' };
  const fact = {
    type: 'PageDeleted',
    data: { page_id: 'page1', deleted_at: at },
    metadata: { client_address: clientAddress, user_agent: clientAddress, recorded_at: '2026-12-01T00:00:00.000000' },
  } as const;
  const id = derivedId('00000000-0000-4000-8000-000000000001');
  await projection(audit).given(fact).then('audit_logs', {
    id,
    organization_id: 'org000000001',
    actor_type: 'api_key',
    actor_id: 'key000000001',
    actor_email: null,
    action: 'page.deleted',
    resource_type: 'page',
    resource_id: 'page1',
    changes: {},
    resource_name: null,
    resource_person: null,
    client_address: clientAddress,
    user_agent: clientAddress,
    created_at: '2026-12-01T00:00:00.000000',
  });
});

test('each action in the audit log is named after its resource and operation', async () => {
  assert.equal(
    (await entries()).map(({ action }) => action),
    [
      'organization.created',
      'api_key.created',
      'api_key.revoked',
      'organization.updated',
      'organization.credit_limit_reached',
      'page.created',
      'page.updated',
      'component.created',
      'component.updated',
      'incident.created',
      'incident.updated',
      'incident.updated',
      'incident_update.created',
      'incident_update.updated',
      'incident_update.withheld',
      'incident_update.deleted',
      'postmortem.drafted',
      'postmortem.published',
      'postmortem.unpublished',
      'incident.deleted',
      'incident.created',
      'incident.reminded',
      'incident.reminder_missed',
      'incident.created',
      'check.created',
      'check.updated',
      'check.executed',
      'job.created',
      'check.parked',
      'check.released',
      'secret.created',
      'check.secrets_changed',
      'secret.updated',
      'secret.updated',
      'secret.value_read',
      'secret.deleted',
      'check.deleted',
      'check.restored',
      'component.deleted',
      'subscriber.created',
      'subscriber.verified',
      'subscriber.updated',
      'subscriber.quarantined',
      'subscriber.released',
      'subscriber.secret_rotated',
      'subscriber.unsubscribed',
      'subscriber.deleted',
      'subscriber.purged',
      'email_domain.configured',
      'email_domain.updated',
      'email_domain.verified',
      'email_domain.failed',
      'page_password.created',
      'page_password.updated',
      'page_password.deleted',
      'page.subscribers_exported',
      'page.deleted',
      'runner.created',
      'runner.renamed',
      'runner.token_rotated',
      'runner.token_confirmed',
      'runner.connected',
      'runner.disconnected',
      'runner.revoked',
      'runner.released',
    ],
  );
});

test('an audit entry has the name and region of a runner, but no hash of its token', async () => {
  const created = await entryOf('RunnerCreated');
  assert.equal([created.resource_name, Object.keys(created.changes)], ['Office', ['name', 'region', 'private']]);
  assert.equal((await entryOf('RunnerTokenRotated')).changes, {});
});

test('audit entries contain neither the preview key of a postmortem nor the private key of an e-mail domain', async () => {
  const drafted = await entryOf('PostmortemDrafted');
  assert.equal(
    [drafted.resource_id, drafted.resource_name, drafted.changes],
    [
      'post1',
      'Checkout fails',
      { body_draft: { old: null, new: 'Why' }, notify_subscribers: { old: null, new: true } },
    ],
  );
  const chosen = await entryOf('EmailDomainConfigured');
  assert.equal(Object.keys(chosen.changes), ['domain', 'from_email', 'selector']);
});

test('an audit entry shows which subscribers of a page were exported', async () => {
  const { action, changes, resource_name } = await entryOf('PageSubscribersExported');
  assert.equal(
    [action, changes, resource_name],
    ['page.subscribers_exported', { mode: { old: null, new: ['email'] } }, 'Acme status'],
  );
});

test('an audit entry shows that the password of a page was replaced, but neither the password nor its hash', async () => {
  assert.equal((await entryOf('PagePasswordAdded')).changes, {
    name: { old: null, new: 'Customers' },
    password_hint: { old: null, new: 'As ever' },
    active: { old: null, new: true },
  });
  const { changes, resource_name } = await entryOf('PagePasswordUpdated');
  assert.equal(changes, {
    active: { old: true, new: false },
    password: { old: '********', new: '********' },
  });
  assert.is(resource_name, 'Customers');
});

test('an audit entry shows the old and new values of changed fields, and no other fields', async () => {
  assert.equal((await entryOf('PageUpdated')).changes, {
    name: { old: 'Acme', new: 'Acme status' },
    domain: { old: null, new: 'status.example.com' },
  });
  assert.equal((await entryOf('IncidentChanged')).changes, { impact: { old: 'critical', new: 'minor' } });
  assert.equal((await entryOf('IncidentUpdateRemoved')).changes['body'], { old: 'We look into it.', new: null });
});

test('an audit entry has the newest name of its resource, and an entry about an incident update has the newest name of the incident', async () => {
  assert.is((await entryOf('PageUpdated')).resource_name, 'Acme status');
  assert.is((await entryOf('PageDeleted')).resource_name, 'Acme status');
  assert.is((await entryOf('ApiKeyRevoked')).resource_name, 'Deploys');
  assert.is((await entryOf('IncidentUpdateEdited')).resource_name, 'Checkout fails');
});

test('audit entries contain no hash of a key, and no secret value, not even an encrypted one', async () => {
  assert.not.match(JSON.stringify(await entryOf('ApiKeyCreated')), 'a'.repeat(64));
  const { changes } = await entryOf('CheckUpdated');
  const shown = {
    http_request: {
      username: sealed('me'),
      password: '********',
      headers: { 'X-Api-Key': '********', Accept: sealed('v') },
    },
  };
  assert.equal(changes['parameters'], { old: shown, new: shown });
  assert.not.match(JSON.stringify(await entryOf('CheckCreated')), 'sealed old');
});

test('audit entries show who created, changed, read, deleted and bound a secret, but no value, not even an encrypted one', async () => {
  const { SECRET, NAME } = secrets;
  assert.equal((await entryOf('SecretCreated')).changes, { secret_name: { old: null, new: NAME } });
  assert.equal((await entryOf('CheckSecretsChanged')).changes, {
    secrets: { old: {}, new: { [SECRET]: 'TOKEN' } },
  });
  assert.equal((await entryOf('SecretValueChanged')).changes, { secret_value: { old: '********', new: '********' } });
  assert.equal((await entryOf('SecretManagedByChanged')).changes, { managed_by: { old: null, new: 'apply' } });
  for (const type of ['SecretCreated', 'SecretValueChanged', 'SecretValueRead', 'SecretDeleted'] as const) {
    const entry = await entryOf(type);
    assert.equal([entry.resource_type, entry.resource_id, entry.resource_name], ['secret', SECRET, NAME], type);
    assert.not.match(JSON.stringify(entry), /c2VhbGVk|b3RoZXI/);
  }
});

test('audit entries show who ran a check on demand, and who ran an unsaved definition', async () => {
  const entries = await projection(audit)
    .given(...facts)
    .documents('audit_logs');
  const ran = entries.find(({ action }) => action === 'check.executed');
  assert.equal([ran?.resource_type, ran?.resource_id, ran?.resource_name], ['check', 'check1', 'Front page']);
  assert.equal(ran?.changes, { job_id: { old: null, new: 'job1' } });
  const byHand = entries.find(({ action }) => action === 'job.created');
  assert.equal([byHand?.resource_type, byHand?.resource_id, byHand?.resource_name], ['job', 'job2', 'By hand']);
  assert.not.match(JSON.stringify(byHand?.changes), 'sealed new');
});

test('audit entries show what users did to their organization and to each other, without credentials', async () => {
  const entries = await projection(audit)
    .given(...peopleFacts)
    .documents('audit_logs');
  assert.equal(
    entries.sort((a, b) => (a.created_at < b.created_at ? -1 : 1)).map(({ action }) => action),
    [
      'user.invited',
      'user.invitation_resent',
      'user.joined',
      'user.updated',
      'user.role_changed',
      'user.password_changed',
      'user.password_reset_requested',
      'user.second_factor_enabled',
      'user.recovery_code_used',
      'session.started',
      'user.sign_ins_failed',
      'session.ended',
      'user.second_factor_disabled',
      'user.removed',
      'user.forgotten',
      'organization.updated',
      'subscription.started',
      'subscription.extended',
      'subscription.not_renewed',
      'subscription.ended',
      'payment.created',
      'payment.invoiced',
      'payment.succeeded',
      'payment.canceled',
    ],
  );
  assert.not.match(JSON.stringify(entries), /argon2id|JBSWY3DPEHPK3PXP|1{64}/);
});

test('automatic events have no audit entry', async () => {
  await projection(audit)
    .given({ type: 'NameReserved', data: { kind: 'domain', name: 'a', owner_id: 'b', organization_id: 'c', claim: 1 } })
    .thenNone('audit_logs');
});

test('the address of a subscriber is encrypted in the audit log, and confirmation requests have no entry', async () => {
  const { action, resource_id, changes } = await entryOf('SubscriberAdded');
  assert.equal({ action, resource_id }, { action: 'subscriber.created', resource_id: SUBSCRIBER });
  assert.equal(changes, {
    mode: { old: null, new: 'email' },
    email: { old: null, new: sealedUnder(1, 'the address') },
    component_ids: { old: null, new: ['comp1'] },
    deliver_notifications: { old: null, new: true },
    skip_confirmation_notification: { old: null, new: false },
  });
  assert.is((await entryOf('SubscriberPurged')).action, 'subscriber.purged');
});

test('audit entries of actions on an alert have the title of the alert, and automatic events of alerts have no entry', async () => {
  const entries = await projection(audit)
    .given(...alertFacts)
    .documents('audit_logs');
  assert.equal(entries.map(({ action, resource_name }) => [action, resource_name]).sort(), [
    ['alert.acknowledged', 'API is down'],
    ['alert.resolved', 'API is down'],
  ]);
});

test('each change of alerting and monitoring has an audit entry with the newest name of the resource', async () => {
  const entries = await projection(audit)
    .given(...watchingFacts)
    .documents('audit_logs');
  assert.equal(entries.map(({ action, resource_name: name }) => `${action} ${name ?? ''}`).sort(), [
    'alert_channel.chat_moved On call',
    'alert_channel.created On call',
    'alert_channel.deleted On call',
    'alert_channel.tested On call',
    'alert_channel.updated On call',
    'alert_rule.created API is down',
    'alert_rule.deleted API is down',
    'alert_rule.updated API is down',
    'alert_rule.updated API is down',
    'check.grouped ',
    'check.updated ',
    'check_group.created Shops',
    'check_group.deleted Shops',
    'check_group.updated Shops',
    'heartbeat.created Backup',
    'heartbeat.deleted Backups',
    'heartbeat.updated Backups',
    'report.completed Uptime of the shop',
    'report.created Uptime of the shop',
    'report.deleted Uptime of the shop',
    'report.failed Uptime of the shop',
  ]);
});

test('each change of an incident template has an audit entry with the changed fields', async () => {
  const entries = await projection(audit)
    .given(...templateFacts)
    .documents('audit_logs');
  assert.equal(entries.map(({ action, resource_name: name }) => `${action} ${name ?? ''}`).sort(), [
    'incident_template.created Outage',
    'incident_template.deleted Old',
    'incident_template.updated Old',
  ]);
  const updated = entries.find(({ action }) => action === 'incident_template.updated');
  assert.equal(updated?.changes, {
    name: { old: 'Outage', new: 'Old' },
    status: { old: null, new: 'identified' },
  });
});

test('automatic changes of pages by alerts have no audit entry', async () => {
  await projection(audit)
    .given(...heldFacts)
    .thenNone('audit_logs');
});

test('outages of regions of remote runners have audit entries with the reasons of their ends', async () => {
  const entries = await projection(audit)
    .given(...regionFacts)
    .documents('audit_logs');
  const because = entries.map(({ action, resource_id, resource_name, changes }) => [
    action,
    resource_id,
    resource_name,
    changes['because']?.new,
  ]);
  assert.equal(
    because.sort(([one = ''], [other = '']) => (String(one) < String(other) ? -1 : 1)),
    [
      ['region.cut_off', 'eu-west1', 'EU, West', undefined],
      ['region.reconnected', 'eu-west1', 'EU, West', 'not_remote'],
    ],
  );
});

test.run();
projectionRules(audit, [
  ...facts,
  ...alertFacts,
  ...watchingFacts,
  ...templateFacts,
  ...heldFacts,
  ...peopleFacts,
  ...regionFacts,
]);
