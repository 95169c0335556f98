import type { NoticeEvent } from '../../domain/mailing/notice-event.ts';
import type { Notice, NoticePage } from '../../messages/notice.ts';

/** A page with default settings. */
export const plainPage: NoticePage = {
  id: 'pgacme000001',
  name: 'Acme Cloud',
  language: 'en',
  time_zone: 'Europe/Berlin',
  url: 'https://status.acme.example/',
  support_url: 'https://acme.example/support',
  email_logo: null,
  company_logo: null,
  notifications_email_footer: 'Acme Ltd, 1 Harbour Street, Springfield',
  css_body_background_color: null,
  css_font_color: null,
  css_link_color: null,
  css_button_color: null,
  css_button_text_color: null,
  css_border_color: null,
  css_light_font_color: null,
  component_statuses: ['operational', 'partial_outage', 'operational'],
};

/** A page with a logo and colours of its own. */
export const tealPage: NoticePage = {
  ...plainPage,
  email_logo: 'https://cdn.acme.example/logo.svg',
  css_body_background_color: '#ecfdf5',
  css_font_color: '#134e4a',
  css_link_color: '#0f766e',
  css_button_color: '#0f766e',
  css_button_text_color: '#ffffff',
  css_border_color: '#a7f3d0',
};

const UNSUBSCRIBE =
  'https://status.acme.example/subscriptions/unsubscribe?token=WyJvcmciLCJzdWIvMSIsbnVsbF0.c2lnbmF0dXJl';

const regular = {
  id: 'incident0001',
  name: 'Database is slow',
  kind: 'regular',
  status: 'identified',
  impact: 'major',
  scheduled_for: null,
  scheduled_until: null,
  object: { id: 'incident0001', name: 'Database is slow' },
} as const;

const maintenance = {
  ...regular,
  name: 'Upgrade of the storage',
  kind: 'maintenance',
  status: 'scheduled',
  impact: 'maintenance',
  scheduled_for: '2026-11-21T21:00:00.000000',
  scheduled_until: '2026-11-22T01:30:00.000000',
  object: { id: 'incident0001', name: 'Upgrade of the storage' },
} as const;

/** Returns a sample notice for an event, with the given changes. */
export const noticeOf = (event: NoticeEvent, changed: Partial<Notice> = {}): Notice => {
  const incident = event.startsWith('maintenance.') ? maintenance : regular;
  const api = { id: 'component001', name: 'API', status: 'partial_outage' } as const;
  return {
    event,
    page: plainPage,
    at: '2026-11-20T15:04:05.123000',
    incident:
      event === 'component.status_changed'
        ? null
        : {
            ...incident,
            ...(event === 'incident.created' && { status: 'investigating' }),
            ...(event === 'incident.resolved' && { status: 'resolved' }),
            ...(event === 'maintenance.started' && { status: 'in_progress' }),
            ...(event === 'maintenance.completed' && { status: 'completed' }),
            ...(event === 'postmortem.published' && { status: 'resolved' }),
          },
    body: null,
    components:
      event === 'component.status_changed' ? [] : [api, { id: 'component002', name: 'Website', status: 'operational' }],
    postmortem: event === 'postmortem.published' ? '### What happened\n\nA disk was full.' : null,
    component_update:
      event === 'component.status_changed'
        ? { component: api, old_status: 'operational', new_status: 'partial_outage' }
        : null,
    unsubscribe_url: UNSUBSCRIBE,
    ...changed,
  };
};
