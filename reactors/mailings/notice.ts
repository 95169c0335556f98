import type { ComponentMap } from '../../domain/incident/fields.ts';
import { isResolved, type IncidentStatus } from '../../domain/incident/statuses.ts';
import type { IncidentNotification } from '../../domain/mailing/notifying-events.ts';
import type { Notice, NoticeComponent, NoticeIncident, NoticePage, SharedNotice } from '../../messages/notice.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import type { JoinedIncident } from '../../queries/pages/incidents.ts';

/** The present data that a notice is composed from. */
export interface NoticeSources {
  page: PageDocument;
  /** all components of the page, in the order of the page */
  components: readonly ComponentDocument[];
  /** null if the notice is not about an incident, or the incident was deleted */
  incident: JoinedIncident | null;
  /** Returns the incident in the form of API responses. */
  shown: (incident: JoinedIncident) => Readonly<Record<string, unknown>>;
}

/**
 * Composes a notice from the present texts. Returns null if there is nothing to report any more. For example, the
 * incident, the update or the component was deleted, or a maintenance was rescheduled or has started before its
 * reminder was sent.
 */
export const composeNotice = (told: IncidentNotification, present: NoticeSources): SharedNotice | null => {
  const { event, at } = told;
  const page = pageOf(present);
  if (told.component) {
    const update = componentUpdateOf(told.component, present);
    if (!update) return null;
    return {
      event,
      page,
      at,
      incident: null,
      body: null,
      components: [update.component],
      postmortem: null,
      component_update: update,
    };
  }
  const { incident } = present;
  if (!told.incident || !incident) return null;
  const { status, update_id, components, scheduled_for } = told.incident;
  const { incident: document } = incident;
  if (scheduled_for !== null && (document.scheduled_for !== scheduled_for || document.status !== 'scheduled')) {
    return null;
  }
  const update = document.incident_updates.find(({ id }) => id === update_id);
  if (update_id !== null && !update) return null;
  const isPostmortem = event === 'postmortem.published';
  if (isPostmortem && document.postmortem_body === null) return null;
  return {
    event,
    page,
    at,
    incident: incidentOf(incident, status, present),
    // An update may have no text.
    body: update && update.body !== '' ? update.body : null,
    components: present.components.filter(({ id }) => components[id] !== undefined).map(asTold(status, components)),
    postmortem: isPostmortem ? document.postmortem_body : null,
    component_update: null,
  };
};

const pageOf = ({ page, components }: NoticeSources): NoticePage => ({
  ...mailPageOf(page),
  component_statuses: components.filter(({ group }) => !group).map(({ status }) => status),
});

/** Returns the data of a page that every e-mail contains. */
export const mailPageOf = (page: PageDocument): Omit<NoticePage, 'component_statuses'> => ({
  id: page.id,
  name: page.name,
  language: page.language,
  time_zone: page.time_zone,
  url: page.domain === null ? null : `https://${page.domain}`,
  support_url: page.support_url,
  email_logo: page.email_logo,
  company_logo: page.company_logo,
  notifications_email_footer: page.notifications_email_footer,
  css_body_background_color: page.css_body_background_color,
  css_font_color: page.css_font_color,
  css_link_color: page.css_link_color,
  css_button_color: page.css_button_color,
  css_button_text_color: page.css_button_text_color,
  css_border_color: page.css_border_color,
  css_light_font_color: page.css_light_font_color,
});

const incidentOf = (
  joined: JoinedIncident,
  status: NoticeIncident['status'],
  { shown }: Pick<NoticeSources, 'shown'>,
): NoticeIncident => {
  const { id, name, kind, impact, scheduled_for, scheduled_until } = joined.incident;
  return { id, name, kind, status, impact, scheduled_for, scheduled_until, object: shown(joined) };
};

/**
 * Returns a component with the status that the update has set. After the incident is resolved, returns the present
 * status instead, so that a component whose status was corrected by hand is not shown as down.
 */
const asTold =
  (told: IncidentStatus, given: ComponentMap) =>
  ({ id, name, status }: ComponentDocument): NoticeComponent => ({
    id,
    name,
    status: isResolved(told) ? status : (given[id] ?? status),
  });

const componentUpdateOf = (
  { id, old_status, new_status }: NonNullable<IncidentNotification['component']>,
  { components }: NoticeSources,
): Notice['component_update'] => {
  const component = components.find((each) => each.id === id);
  return component ? { component: { id, name: component.name, status: new_status }, old_status, new_status } : null;
};
