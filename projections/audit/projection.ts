import type { EventType, RecordedEventOf } from '../../domain/catalogue.ts';
import { derivedId } from '../../domain/identity.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import type { AuditDocument, ResourceNameDocument } from './documents.ts';
import { AUDITED, subjectOf } from './subjects.ts';

const collections = {
  audit_logs: collection<AuditDocument>({
    indexes: [
      { organization_id: 1, created_at: -1 },
      { organization_id: 1, resource_id: 1, created_at: -1 },
      { organization_id: 1, actor_id: 1, created_at: -1 },
      { organization_id: 1, action: 1, created_at: -1 },
    ],
  }),
  resource_names: collection<ResourceNameDocument>({ indexes: [] }),
};

type AnyEvent = RecordedEventOf<EventType>;
type Handler = (event: AnyEvent, models: Models<typeof collections>) => void;

const record: Handler = (event, { audit_logs, resource_names }) => {
  const subject = subjectOf(event);
  const { actor, organization_id, recorded_at, client_address, user_agent } = event.metadata;
  if (!subject || organization_id === null) return;
  const { name, called, unlisted, ...said } = subject;
  if (name !== undefined) resource_names.put({ id: called, name });
  if (unlisted) return;
  audit_logs.put({
    id: derivedId(event.id),
    organization_id,
    actor_type: actor.kind,
    actor_id: actor.id,
    actor_email: null,
    ...said,
    resource_name: name ?? resource_names.get(called)?.name ?? null,
    client_address: client_address ?? null,
    user_agent: user_agent ?? null,
    created_at: recorded_at,
  });
};

/** The audit log: who did what to which resource, from where, and what changed. Nothing is ever removed. */
export const audit = defineProjection<typeof collections, EventType>({
  name: 'audit',
  version: 2,
  log: 'main',
  collections,
  documents: (event) => {
    const subject = subjectOf(event);
    return subject ? { audit_logs: [derivedId(event.id)], resource_names: [subject.called] } : {};
  },
  // All types are handled alike.
  on: Object.fromEntries(AUDITED.map((type) => [type, record])) as Record<EventType, Handler>,
});
