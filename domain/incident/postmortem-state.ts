import { unreachable } from '../decider.ts';
import type { Sealed } from '../sealed.ts';
import type { IncidentEvent } from './events.ts';

/** The postmortem of an incident. */
export interface Postmortem {
  id: string;
  /** the text of the draft; after the publication, the published text */
  body_draft: string | null;
  notify_subscribers: boolean;
  /** null if there is no unpublished draft */
  preview_key: Sealed | null;
  /** the published text, which visitors see; null if the postmortem is not published */
  body: string | null;
}

/** Returns the postmortem of an incident after an event. */
export const evolvePostmortem = (
  postmortem: Postmortem | null,
  event: Extract<IncidentEvent, { type: 'PostmortemDrafted' | 'PostmortemPublished' | 'PostmortemUnpublished' }>,
): Postmortem => {
  const { postmortem_id: id } = event.data;
  switch (event.type) {
    case 'PostmortemDrafted': {
      const { draft, preview_key } = event.data;
      return { id, ...draft, preview_key, body: postmortem?.body ?? null };
    }
    case 'PostmortemPublished': {
      const { body: body_draft, notify_subscribers } = event.data;
      return { ...postmortem, id, body_draft, notify_subscribers, preview_key: null, body: body_draft };
    }
    case 'PostmortemUnpublished': {
      const { body_draft = null, body = null, notify_subscribers = true } = postmortem ?? {};
      const { preview_key } = event.data;
      return { id, body_draft: body_draft ?? body, notify_subscribers, preview_key, body: null };
    }
    default:
      return unreachable(event);
  }
};
