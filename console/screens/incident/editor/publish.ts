import { Failure } from '../../../api/failure.ts';
import { call } from '../../../session/call.ts';
import { newIncidentBody, newUpdateBody } from './bodies.ts';
import type { Draft, Incident } from './draft.ts';
import { showPublished } from './published.ts';
import type { DraftLocation } from './stored-draft.ts';

/** The ids of a published incident and update. */
export interface PublicationIds {
  incident_id: string;
  update_id: string;
}

const isAhead = (instant: string): boolean => Date.parse(`${instant}Z`) > Date.now();

const opened = async (
  place: DraftLocation,
  draft: Draft,
  headers: Readonly<Record<string, string>>,
): Promise<PublicationIds> => {
  const params = { page_id: place.page_id };
  const body = newIncidentBody(draft, place.kind);
  const { id, incident_updates } = await call('POST /v1/pages/{page_id}/incidents', { params, body }, { headers });
  return { incident_id: id, update_id: incident_updates[0]?.id ?? '' };
};

const appended = async (
  { page_id }: DraftLocation,
  incident_id: string,
  draft: Draft,
  headers: Readonly<Record<string, string>>,
): Promise<PublicationIds> => {
  const { id } = await call(
    'POST /v1/pages/{page_id}/incidents/{incident_id}/incident_updates',
    { params: { page_id, incident_id }, body: newUpdateBody(draft) },
    { headers },
  );
  return { incident_id, update_id: id };
};

/**
 * Publishes a draft. The status page shows the draft immediately. The messages about it are sent after the undo period.
 *
 * @param attempt idempotency key of the draft; repeated requests with the same key publish it only once
 * @param notFuture error message to show if the draft's time is in the future
 * @throws Failure
 */
export const publish = async (
  place: DraftLocation,
  draft: Draft,
  { attempt, notFuture }: { attempt: string; notFuture: string },
): Promise<PublicationIds> => {
  const { created_at } = draft;
  if (created_at !== null && isAhead(created_at))
    throw new Failure(422, notFuture, { fields: { created_at: [notFuture] } });
  const sentAt = Date.now();
  const headers = { 'Idempotency-Key': attempt };
  const { page_id, incident_id } = place;
  const done =
    incident_id === null ? await opened(place, draft, headers) : await appended(place, incident_id, draft, headers);
  if (created_at !== null) {
    await call('PATCH /v1/pages/{page_id}/incidents/{incident_id}/incident_updates/{incident_update_id}', {
      params: { page_id, incident_id: done.incident_id, incident_update_id: done.update_id },
      body: { created_at },
    });
  }
  showPublished(
    {
      page_id,
      incident_id: done.incident_id,
      update_id: incident_id === null ? null : done.update_id,
      notifies: draft.deliver_notifications,
      draft,
      place,
    },
    sentAt,
  );
  return done;
};

/**
 * Returns the updates of an incident that the author has not seen. Reads the incident again, because the event stream
 * may lag.
 */
export const unseenUpdates = async (
  { page_id, id: incident_id }: Pick<Incident, 'page_id' | 'id'>,
  seen: readonly string[],
): Promise<Incident['incident_updates']> => {
  const { incident_updates } = await call('GET /v1/pages/{page_id}/incidents/{incident_id}', {
    params: { page_id, incident_id },
  });
  return incident_updates.filter(({ id }) => !seen.includes(id));
};
