import type { Instant } from '../domain/time.ts';
import { indicatorOf } from './status-indicator.ts';
import type { Notice } from './notice.ts';
import { wordsFor } from './words/index.ts';

/**
 * Returns the webhook body (docs/reference/webhooks.md#body). Texts are unchanged, including their Markdown. The
 * description of the page's status is in the page's language.
 *
 * @param now time when the message is created; it may be delivered later
 */
export const composeWebhook = (notice: Notice, now: Instant): Record<string, unknown> => {
  const { event, page, unsubscribe_url: unsubscribe } = notice;
  const indicator = indicatorOf(page.component_statuses);
  return {
    event,
    meta: { unsubscribe, generated_at: now },
    page: {
      id: page.id,
      name: page.name,
      status_indicator: indicator,
      status_description: wordsFor(page.language).pageStatus[indicator],
    },
    ...subjectOf(notice),
  };
};

const subjectOf = ({ event, at, incident, postmortem, component_update: update }: Notice): Record<string, unknown> => {
  switch (event) {
    case 'component.status_changed':
      return {
        component: update?.component ?? null,
        component_update: update && {
          component_id: update.component.id,
          old_status: update.old_status,
          new_status: update.new_status,
          created_at: at,
        },
      };
    case 'postmortem.published':
      return { postmortem: { incident_id: incident?.id ?? null, body: postmortem, published_at: at } };
    default:
      return { incident: incident?.object ?? null };
  }
};
