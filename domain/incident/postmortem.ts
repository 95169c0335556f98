import type { EventOf } from '../event-types.ts';
import { IllegalState, Invalid } from '../errors.ts';
import { notFound } from '../existence.ts';
import { existing as existingPage, type Page } from '../page/state.ts';
import type { Sealed } from '../sealed.ts';
import type { Instant } from '../time.ts';
import { existingOn } from './decide.ts';
import type { Incident } from './state.ts';

/**
 * Maximum length of a postmortem's text in characters. It is enough for a long report, and far below the size limit of
 * events.
 */
export const MAX_POSTMORTEM = 50_000;

export interface DraftInput {
  /** Markdown. Null discards the draft. If absent, the draft stays unchanged. */
  body_draft?: string | null;
  notify_subscribers?: boolean;
}

/** The random values that a new draft needs. */
export interface NewDraft {
  /** the id for a new postmortem; ignored if the incident already has one */
  id: string;
  preview_key: Sealed;
}

/**
 * Creates, changes or discards the draft of a postmortem (docs/reference/postmortems.md#drafts). The first text creates
 * the postmortem. If the postmortem is published, a new text starts a new draft and does not change the published text.
 *
 * @throws NotFound
 * @throws Invalid there is no postmortem yet, and the input contains no text
 */
export const draftPostmortem = (
  state: Incident,
  page: Page,
  made: NewDraft,
  { body_draft, notify_subscribers }: DraftInput,
  now: Instant,
): EventOf<'PostmortemDrafted'>[] => {
  const incident = existingOn(existingPage(page), state);
  const { postmortem: current } = incident;
  if (!current && body_draft == null) throw new Invalid({ json: firstDraftErrors(body_draft) });
  const pending = body_draft === undefined ? current?.preview_key != null : body_draft !== null;
  const draft = {
    body_draft: body_draft === undefined ? (current?.body_draft ?? null) : body_draft,
    notify_subscribers: notify_subscribers ?? current?.notify_subscribers ?? true,
  };
  const preview_key = pending ? (current?.preview_key ?? made.preview_key) : null;
  if (
    current &&
    current.body_draft === draft.body_draft &&
    current.notify_subscribers === draft.notify_subscribers &&
    current.preview_key === preview_key
  ) {
    return [];
  }
  return [
    {
      type: 'PostmortemDrafted',
      data: {
        incident_id: incident.id,
        page_id: incident.page_id,
        postmortem_id: current?.id ?? made.id,
        drafted_at: now,
        draft,
        previous: current && {
          body_draft: current.body_draft,
          notify_subscribers: current.notify_subscribers,
        },
        preview_key,
      },
    },
  ];
};

/** Validates the first draft of a postmortem, which must have a text. */
export const firstDraftErrors = (body_draft: unknown): Record<string, string[]> => {
  if (body_draft === undefined) return { body_draft: ['Is required: there is no postmortem yet.'] };
  if (body_draft === null) return { body_draft: ['Must be a text: there is no postmortem yet.'] };
  return {};
};

/**
 * Publishes the draft of a postmortem. The draft replaces the text that was published before.
 *
 * @throws NotFound the page, the incident or the postmortem does not exist
 * @throws IllegalState there is no draft
 */
export const publishPostmortem = (
  state: Incident,
  page: Page,
  { notify_subscribers }: Pick<DraftInput, 'notify_subscribers'>,
  now: Instant,
): EventOf<'PostmortemPublished'> => {
  const incident = existingOn(existingPage(page), state);
  const { postmortem } = incident;
  if (!postmortem) throw notFound('postmortem');
  const { body_draft: body, preview_key } = postmortem;
  if (preview_key === null || body === null) throw new IllegalState('There is no draft to publish.');
  return {
    type: 'PostmortemPublished',
    data: {
      incident_id: incident.id,
      page_id: incident.page_id,
      postmortem_id: postmortem.id,
      body,
      notify_subscribers: notify_subscribers ?? postmortem.notify_subscribers,
      published_at: now,
    },
  };
};

/**
 * Unpublishes a postmortem, so that visitors no longer see its text. The published text becomes the draft, unless there
 * is a newer draft.
 *
 * @throws NotFound the page, the incident or the postmortem does not exist
 * @throws IllegalState the postmortem is not published
 */
export const unpublishPostmortem = (
  state: Incident,
  page: Page,
  made: Pick<NewDraft, 'preview_key'>,
  now: Instant,
): EventOf<'PostmortemUnpublished'> => {
  const incident = existingOn(existingPage(page), state);
  const { postmortem } = incident;
  if (!postmortem) throw notFound('postmortem');
  if (postmortem.body === null) throw new IllegalState('The postmortem is not published.');
  return {
    type: 'PostmortemUnpublished',
    data: {
      incident_id: incident.id,
      page_id: incident.page_id,
      postmortem_id: postmortem.id,
      unpublished_at: now,
      preview_key: postmortem.preview_key ?? made.preview_key,
    },
  };
};
