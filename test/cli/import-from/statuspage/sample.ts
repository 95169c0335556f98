import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../domain/time.ts';

/** Changes of a later export of the same page. */
export interface Later {
  /** whether the open incident is resolved by now */
  resolved?: boolean;
  /** whether the text of an update of the past incident was edited */
  edited?: boolean;
}

/**
 * Makes an export in the format of Statuspage's interface: a page with groups, a past incident with a postmortem, an open
 * incident, a completed and a planned maintenance, templates, and subscribers in all states.
 */
export const statuspageExport = (now: number, { resolved = false, edited = false }: Later = {}) => {
  // Statuspage writes times in the time zone of the page.
  const at = (ago: number): string => `${new Date(now - ago + 2 * HOUR_MS).toISOString().slice(0, -1)}+02:00`;
  const component = (id: string, name: string, position: number, more: object = {}) => ({
    id,
    page_id: 'p1',
    name,
    description: null,
    status: 'operational',
    group: false,
    group_id: null,
    position,
    showcase: true,
    only_show_if_degraded: false,
    start_date: '2024-03-01',
    created_at: at(400 * DAY_MS),
    updated_at: at(DAY_MS),
    ...more,
  });
  const update = (status: string, ago: number, body: string, affected: readonly [string, string, string][] = []) => ({
    id: `${status}-${ago}`,
    status,
    body,
    created_at: at(ago),
    updated_at: at(ago),
    display_at: at(ago),
    deliver_notifications: true,
    affected_components: affected.map(([code, name, new_status]) => ({
      code,
      name,
      old_status: 'operational',
      new_status,
    })),
  });
  const incident = (id: string, name: string, status: string, created: number, more: object) => ({
    id,
    page_id: 'p1',
    name,
    status,
    impact: 'none',
    created_at: at(created),
    updated_at: at(0),
    resolved_at: null,
    scheduled_for: null,
    scheduled_until: null,
    metadata: {},
    components: [],
    ...more,
  });
  return {
    page: {
      id: 'p1',
      name: 'Acme',
      subdomain: 'acme-status',
      domain: null,
      url: 'www.acme.example',
      support_url: 'https://acme.example/help',
      page_description: 'How our services are',
      time_zone: 'Eastern Time (US & Canada)',
      css_greens: '2fcc66',
      allow_email_subscribers: true,
      allow_sms_subscribers: false,
      allow_webhook_subscribers: true,
      favicon_logo: { url: 'https://pictures.statuspage.example/favicon.png' },
    },
    components: [
      component('g1', 'EU', 2, { group: true, components: ['c2'] }),
      component('c1', 'Website', 1, resolved ? {} : { status: 'major_outage' }),
      component('c2', 'API', 1, { group_id: 'g1', description: 'Version 2' }),
      component('c3', 'API', 1, { group_id: 'g2', automation_email: 'c3@automation.statuspage.example' }),
    ],
    component_groups: [{ id: 'g2', page_id: 'p1', name: 'US', description: 'East', position: 3, components: ['c3'] }],
    incidents: [
      incident('i1', 'Slow API', 'postmortem', 30 * DAY_MS, {
        impact: 'minor',
        resolved_at: at(30 * DAY_MS - 2 * HOUR_MS),
        metadata: { ticket: 'A-1' },
        postmortem_body: 'A disk was full.',
        incident_updates: [
          update('postmortem', 29 * DAY_MS, 'A disk was full.'),
          update('resolved', 30 * DAY_MS - 2 * HOUR_MS, 'All is well.\r\nSorry.', [['c2', 'EU - API', 'operational']]),
          update('monitoring', 30 * DAY_MS - HOUR_MS, ''),
          update('investigating', 30 * DAY_MS, edited ? 'The API is slow in the EU.' : 'The API is slow.', [
            ['c2', 'EU - API', 'degraded_performance'],
          ]),
        ],
      }),
      incident('i2', 'No answer', resolved ? 'resolved' : 'identified', 3 * HOUR_MS, {
        impact: 'critical',
        incident_updates: [
          ...(resolved ? [update('resolved', MINUTE_MS, 'It answers.', [['c1', 'Website', 'operational']])] : []),
          update('identified', 2 * HOUR_MS, 'We found the cause.', [['c1', 'Website', 'major_outage']]),
          update('investigating', 3 * HOUR_MS, 'We look into it.', [['c1', 'Website', 'partial_outage']]),
        ],
      }),
      incident('i3', 'New disks', 'completed', 12 * DAY_MS, {
        impact: 'maintenance',
        scheduled_for: at(10 * DAY_MS),
        scheduled_until: at(10 * DAY_MS - 2 * HOUR_MS),
        scheduled_auto_completed: true,
        auto_transition_deliver_notifications_at_end: true,
        incident_updates: [
          update('completed', 10 * DAY_MS - HOUR_MS, 'The disks are new.', [['c3', 'US - API', 'operational']]),
          update('in_progress', 10 * DAY_MS, 'We begin.', [['c3', 'US - API', 'under_maintenance']]),
          update('scheduled', 12 * DAY_MS, 'We will change disks.', [['c3', 'US - API', 'under_maintenance']]),
        ],
      }),
      incident('i4', 'New router', 'scheduled', DAY_MS, {
        impact: 'maintenance',
        scheduled_for: at(-5 * DAY_MS),
        scheduled_until: at(-5 * DAY_MS - HOUR_MS),
        scheduled_remind_prior: true,
        scheduled_auto_in_progress: true,
        scheduled_auto_completed: true,
        auto_transition_to_maintenance_state: true,
        auto_transition_to_operational_state: true,
        auto_transition_deliver_notifications_at_start: true,
        auto_transition_deliver_notifications_at_end: true,
        incident_updates: [update('scheduled', DAY_MS, 'We will change a router.', [['c1', 'Website', 'operational']])],
      }),
    ],
    incident_templates: [
      {
        id: 't1',
        name: 'Outage',
        title: 'Outage',
        body: 'We look into it.',
        update_status: 'investigating',
        should_send_notifications: true,
        components: [{ id: 'c1' }],
      },
      {
        id: 't2',
        name: 'Disks',
        title: 'New disks',
        body: 'We change disks.',
        update_status: 'scheduled',
        should_send_notifications: false,
        components: [{ id: 'c1' }],
      },
    ],
    subscribers: [
      { id: 's1', mode: 'email', email: 'ida@example.com', quarantined_at: null, purge_at: null, components: null },
      { id: 's2', mode: 'email', email: 'ivan@example.com', quarantined_at: null, purge_at: null, components: ['c3'] },
      { id: 's3', mode: 'email', email: 'gone@example.com', quarantined_at: at(DAY_MS), purge_at: at(-DAY_MS) },
      { id: 's4', mode: 'email', email: 'new@example.com', quarantined_at: null, purge_at: at(-DAY_MS) },
      { id: 's5', mode: 'webhook', endpoint: 'https://hooks.example.com/a', quarantined_at: null, purge_at: null },
      { id: 's6', mode: 'slack', workspace_name: 'Acme', quarantined_at: null, purge_at: null },
    ],
  };
};

/** Returns an export as the only file of an import. */
export const asFiles = (content: object): { name: string; text: string }[] => [
  { name: 'export.json', text: JSON.stringify(content) },
];
