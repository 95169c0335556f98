import { EXAMPLE_IDS } from './ids.ts';

const id = (name: string): string => EXAMPLE_IDS[name] ?? '';

const CHECK = {
  name: 'Shop: home page',
  type: 'web',
  url: 'https://shop.example.com/',
  timeout: 10,
  parameters: { search_text: 'Add to basket', assertions: { status_codes: [200], max_response_time: 3000 } },
};

const INCIDENT = {
  name: 'Checkout fails for some cards',
  status: 'investigating',
  body: 'Some card payments are rejected. We are looking into it.',
  components: { [id('component_id')]: 'partial_outage' },
};

const UPDATE = {
  status: 'identified',
  body: 'A payment provider rejects cards of one bank. We route them to another one.',
  components: { [id('component_id')]: 'degraded_performance' },
};

const CHANNEL = {
  name: 'Operations chat',
  type: 'webhook',
  configuration: { url: 'https://chat.example.com/hooks/operations' },
};

const KEY = { name: 'Deployment pipeline', role: 'editor', allowed_ips: ['203.0.113.0/24'] };

/**
 * Example bodies by method and path. The body of PUT is also used for PATCH. All bodies belong to one scenario: the
 * checkout of Acme's shop fails. Bodies that are missing here are generated from their schema.
 */
export const EXAMPLE_REQUESTS: Readonly<Record<string, unknown>> = {
  'post /v1/pages': { name: 'Acme', subdomain: 'acme', time_zone: 'Europe/Berlin', headline: 'All systems of Acme' },
  'put /v1/pages/{page_id}': { headline: 'How our shop is doing', support_url: 'https://example.com/support' },
  'post /v1/pages/{page_id}/preview': { headline: 'How our shop is doing', css_link_color: '#0B6E4F' },
  'post /v1/pages/{page_id}/passwords': {
    name: 'Partners',
    password: 'three quiet herons',
    password_hint: 'the one from the partner letter',
  },
  'put /v1/pages/{page_id}/passwords/{password_id}': { name: 'Partners and press', active: true },
  'post /v1/pages/{page_id}/verify-password': { password: 'three quiet herons' },
  'post /v1/pages/{page_id}/components': { name: 'Checkout', description: 'Paying for a basket' },
  'put /v1/pages/{page_id}/components/{component_id}': { status: 'degraded_performance' },
  'post /v1/pages/{page_id}/component-groups': { name: 'Shop', description: 'Everything that customers see' },
  'put /v1/pages/{page_id}/component-groups/{component_id}': { name: 'Web shop' },
  'post /v1/pages/{page_id}/components/uptime': { component_ids: [id('component_id')] },
  'post /v1/pages/{page_id}/incidents': INCIDENT,
  'post /v1/pages/{page_id}/incidents/preview': INCIDENT,
  'post /v1/pages/{page_id}/incidents/log-past-incident': {
    name: 'Slow search',
    impact: 'minor',
    incident_updates: [
      {
        status: 'investigating',
        body: 'Searching took up to ten seconds.',
        created_at: '2026-11-18T09:10:00Z',
        components: { [id('component_id')]: 'degraded_performance' },
      },
      {
        status: 'resolved',
        body: 'An index was rebuilt.',
        created_at: '2026-11-18T09:45:00Z',
        components: { [id('component_id')]: 'operational' },
      },
    ],
  },
  'put /v1/pages/{page_id}/incidents/{incident_id}': {
    status: 'resolved',
    body: 'The payment provider has fixed the problem.',
    components: { [id('component_id')]: 'operational' },
  },
  'post /v1/pages/{page_id}/incidents/{incident_id}/incident_updates': UPDATE,
  'post /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/preview': UPDATE,
  'put /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}': {
    body: 'A payment provider rejects cards of two banks. We route them to another one.',
  },
  'put /v1/pages/{page_id}/incidents/{incident_id}/postmortem': {
    body_draft: '## What happened\n\nA certificate of the payment provider had expired.',
    notify_subscribers: true,
  },
  'put /v1/pages/{page_id}/incidents/{incident_id}/postmortem/publish': { notify_subscribers: true },
  'post /v1/incident-templates': {
    name: 'Payments: provider',
    page_id: id('page_id'),
    incident_name: 'Payments by card fail',
    status: 'investigating',
    body: 'Our payment provider rejects cards. We are in contact with them.',
    components: { [id('component_id')]: 'partial_outage' },
  },
  'put /v1/incident-templates/{incident_template_id}': { status: 'identified' },
  'post /v1/pages/{page_id}/subscribers': {
    mode: 'webhook',
    endpoint: 'https://hooks.example.com/acme-status',
    component_ids: [id('component_id')],
  },
  'put /v1/pages/{page_id}/subscribers/{subscriber_id}': { component_ids: null },
  'post /v1/pages/{page_id}/email-domain/records': { domain: 'example.com', from_email: 'status@example.com' },
  'post /v1/checks/bulk': { filter: { status: 'down', q: 'staging' }, change: { active: false } },
  'post /v1/alerts/bulk': { ids: [id('alert_id')], change: { acknowledge: true } },
  'post /v1/checks': { ...CHECK, interval: 60 },
  'put /v1/checks/{check_id}': { interval: 30, timeout: 5 },
  'post /v1/checks/execute': CHECK,
  'put /v1/checks/{check_id}/group': { group_id: id('group_id') },
  'post /v1/runners': { name: 'Office' },
  'put /v1/runners/{runner_id}': { name: 'Office, second floor' },
  'post /v1/secrets': { secret_name: 'SHOP_PASSWORD', secret_value: 'blue-otter-42' },
  'put /v1/secrets/{secret_id}': { secret_value: 'green-otter-43' },
  'post /v1/checks/{check_id}/secrets': { secret_id: id('secret_id'), env_variable: 'PASSWORD' },
  'put /v1/checks/{check_id}/secrets': [{ secret_id: id('secret_id'), env_variable: 'PASSWORD' }],
  'post /v1/check-groups': { name: 'Shop', description: 'Checks of the web shop', color: '#2458d3' },
  'put /v1/check-groups/{group_id}': { active: false },
  'post /v1/heartbeats': {
    name: 'Nightly backup',
    schedule: '0 2 * * *',
    time_zone: 'Europe/Berlin',
    grace_seconds: 900,
  },
  'put /v1/heartbeats/{heartbeat_key}': { grace_seconds: 1800 },
  'post /v1/heartbeats/{heartbeat_key}/channels': { channel_ids: [id('channel_id')] },
  'post /v1/alerts/channels': CHANNEL,
  'post /v1/alerts/channels/test': { type: CHANNEL.type, configuration: CHANNEL.configuration },
  'put /v1/alerts/channels/{channel_id}': { enabled: false },
  'post /v1/alerts/rules': {
    name: 'The shop is down',
    check_id: id('check_id'),
    condition: 'check_failed',
    severity: 'critical',
    confirmations: 2,
    channel_ids: [id('channel_id')],
  },
  'post /v1/alerts/rules/simulate': {
    check_id: id('check_id'),
    condition: 'check_failed',
    confirmations: 2,
    from: '2026-11-13T00:00:00Z',
    to: '2026-11-20T00:00:00Z',
  },
  'put /v1/alerts/rules/{rule_id}': { cooldown_period: 600 },
  'post /v1/reports': {
    name: 'Uptime in October',
    report_type: 'uptime',
    format: 'pdf',
    period_start: '2026-10-01',
    period_end: '2026-10-31',
  },
  'put /v1/organizations/{org_id}': { name: 'Acme GmbH' },
  'post /v1/login': { email: 'ida@example.com', password: 'three quiet herons' },
  'post /v1/login/totp': { challenge: 'utc_4bq9V0mJ2xkT7cRz', code: '492039' },
  'post /v1/session/login': { email: 'ida@example.com', password: 'three quiet herons' },
  'post /v1/session/totp': { challenge: 'utc_4bq9V0mJ2xkT7cRz', code: '492039' },
  'post /v1/session/first-user': { email: 'ida@example.com', password: 'three quiet herons' },
  'post /v1/users/invite': { email: 'noor@example.com', role: 'editor' },
  'put /v1/users/profile': { first_name: 'Ida', last_name: 'Berg' },
  'put /v1/users/{user_id}': { role: 'viewer' },
  'post /v1/users/change-password': { old_password: 'three quiet herons', new_password: 'four loud magpies' },
  'post /v1/users/request-password-reset': { email: 'ida@example.com' },
  'post /v1/users/link': { token: 'v2.eyJ1c2VyIjoi…' },
  'post /v1/users/reset-password': { token: 'v2.eyJ1c2VyIjoi…', new_password: 'four loud magpies' },
  'post /v1/users/totp': { password: 'three quiet herons' },
  'delete /v1/users/totp': { password: 'three quiet herons', code: '492039' },
  'post /v1/users/totp/confirm': { code: '492039' },
  'post /v1/payments': { plan_id: 'team' },
  'post /v1/api-tokens': KEY,
  'post /v1/api-keys': KEY,
};

const SUBSCRIBER = { id: EXAMPLE_IDS['subscriber_id'], mode: 'webhook' };
const GROUP = { id: EXAMPLE_IDS['group_id'], name: 'Shop', description: 'Everything that customers see', group: true };
const UPTIME = { id: EXAMPLE_IDS['component_id'], name: 'Checkout', partial_outage: 1560 };

/**
 * Top-level values of example responses. Other values come from the example request and from values.ts. If the entry
 * is an array, it is the whole response.
 */
export const EXAMPLE_RESPONSES: Readonly<Record<string, Readonly<Record<string, unknown>> | readonly string[]>> = {
  'post /v1/pages/{page_id}/subscribers': SUBSCRIBER,
  'post /v1/pages/{page_id}/subscribers/{subscriber_id}/rotate-secret': SUBSCRIBER,
  'get /v1/users/roles': ['viewer', 'editor', 'admin', 'billing'],
  'get /v1/pages/{page_id}/component-groups': GROUP,
  'post /v1/pages/{page_id}/component-groups': GROUP,
  'get /v1/pages/{page_id}/component-groups/{component_id}': GROUP,
  'put /v1/pages/{page_id}/component-groups/{component_id}': GROUP,
  'get /v1/pages/{page_id}/components/{component_id}/uptime': UPTIME,
  'post /v1/pages/{page_id}/components/uptime': UPTIME,
  'post /v1/alerts/{alert_id}/acknowledge': { status: 'acknowledged', acknowledged_at: '2026-11-20T15:09:41.006000' },
  'post /v1/alerts/{alert_id}/resolve': {
    status: 'resolved',
    is_active: false,
    resolved_at: '2026-11-20T15:21:17.902000',
  },
  'post /v1/payments/{payment_id}/cancel': { status: 'canceled', canceled_at: '2026-11-20T15:04:05.123000' },
  'put /v1/pages/{page_id}/incidents/{incident_id}': { resolved_at: '2026-11-20T15:41:52.310000' },
  'post /v1/pages/{page_id}/incidents/log-past-incident': {
    status: 'resolved',
    resolved_at: '2026-11-18T09:45:00.000000',
  },
};
