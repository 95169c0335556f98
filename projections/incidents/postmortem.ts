import type { EventData, EventOf } from '../../domain/event-types.ts';
import type { PostmortemDocument } from './documents.ts';

/** Updates a postmortem after its draft was written, changed or discarded. */
export const withDraft = (
  before: PostmortemDocument | undefined,
  { incident_id: id, postmortem_id, draft, preview_key, drafted_at }: EventData['PostmortemDrafted'],
): PostmortemDocument => {
  if (!before) {
    return {
      id,
      postmortem_id,
      body: null,
      ...draft,
      body_draft_updated_at: drafted_at,
      body_updated_at: null,
      preview_key,
      published_at: null,
      created_at: drafted_at,
      updated_at: drafted_at,
    };
  }
  const isNew = (before.preview_key === null) !== (preview_key === null) || before.body_draft !== draft.body_draft;
  return {
    ...before,
    ...draft,
    body_draft_updated_at: isNew ? drafted_at : before.body_draft_updated_at,
    preview_key,
    updated_at: drafted_at,
  };
};

/** Updates a postmortem after its publication. */
export const withPublication = (
  before: PostmortemDocument,
  { data: { body, notify_subscribers, published_at } }: Pick<EventOf<'PostmortemPublished'>, 'data'>,
): PostmortemDocument => ({
  ...before,
  body,
  body_draft: body,
  body_updated_at: body === before.body && before.body_updated_at !== null ? before.body_updated_at : published_at,
  notify_subscribers,
  preview_key: null,
  published_at,
  updated_at: published_at,
});

/** Updates a postmortem after its publication was reverted. */
export const withoutPublication = (
  before: PostmortemDocument,
  { preview_key, unpublished_at }: EventData['PostmortemUnpublished'],
): PostmortemDocument => ({
  ...before,
  body: null,
  body_draft: before.body_draft ?? before.body,
  body_updated_at: null,
  preview_key,
  published_at: null,
  updated_at: unpublished_at,
});
