import type { Sealed } from '../sealed.ts';
import type { IncidentEvent } from './events.ts';

/** The postmortem of an incident, as decisions need it. */
export interface Postmortem {
  id: string;
  /** the draft; after it was published, the published text */
  body_draft: string | null;
  notify_subscribers: boolean;
  /** present while there is a draft that is not published */
  preview_key: Sealed | null;
}

/** The postmortem after an event of its incident. */
export const evolvePostmortem = (
  postmortem: Postmortem | null,
  event: Extract<IncidentEvent, { type: 'PostmortemDrafted' | 'PostmortemPublished' }>,
): Postmortem => {
  const { postmortem_id: id } = event.data;
  if (event.type === 'PostmortemDrafted') {
    const { draft, preview_key } = event.data;
    return { id, ...draft, preview_key };
  }
  const { body: body_draft, notify_subscribers } = event.data;
  return { ...postmortem, id, body_draft, notify_subscribers, preview_key: null };
};
