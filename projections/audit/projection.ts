import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import { derivedId } from '../../domain/identity.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';
import type { AuditDocument, UserName, ResourceNameDocument } from './documents.ts';
import { AUDITED_EVENT_TYPES, auditSubjectOf } from './subjects.ts';

const collections = {
  audit_logs: collection<AuditDocument>({
    indexes: [
      { organization_id: 1, created_at: -1 },
      { organization_id: 1, resource_id: 1, created_at: -1 },
      { organization_id: 1, actor_id: 1, created_at: -1 },
      { organization_id: 1, action: 1, created_at: -1 },
    ],
  }),
  resource_names: collection<ResourceNameDocument>({ indexes: [], small: true }),
};

type AnyEvent = RecordedEventOf<EventType>;
type Handler = (event: AnyEvent, models: Models<typeof collections>) => void;

const NOBODY: UserName = { email: null, first_name: null, last_name: null };

const userId = (id: string): string => `user:${id}`;
const actorId = ({ metadata: { actor } }: AnyEvent): string => `${actor.kind}:${actor.id}`;

const record: Handler = (event, { audit_logs, resource_names }) => {
  const subject = auditSubjectOf(event);
  const { actor, organization_id, recorded_at, client_address, user_agent } = event.metadata;
  if (!subject || organization_id === null) return;
  const { name, person, maker, called, unlisted, ...said } = subject;
  const known = resource_names.get(called);
  if (person) resource_names.put({ id: called, name: null, person: { ...NOBODY, ...known?.person, ...person } });
  else if (name !== undefined) {
    const makerPerson = maker == null ? null : (resource_names.get(userId(maker))?.person ?? null);
    resource_names.put({ id: called, name, person: makerPerson });
  }
  if (unlisted) return;
  const shown = resource_names.get(called);
  audit_logs.put({
    id: derivedId(event.id),
    organization_id,
    actor_type: actor.kind,
    actor_id: actor.id,
    actor_email: actor.kind === 'system' ? null : (resource_names.get(actorId(event))?.person?.email ?? null),
    ...said,
    resource_name: name ?? shown?.name ?? null,
    resource_person: shown?.name === null ? shown.person : null,
    client_address: client_address ?? null,
    user_agent: user_agent ?? null,
    created_at: recorded_at,
  });
};

/** The audit log: who did what to which resource, from where, and what changed. Entries are never removed. */
export const audit = defineProjection<typeof collections, EventType>({
  name: 'audit',
  version: 4,
  log: 'main',
  collections,
  documents: (event) => {
    const subject = auditSubjectOf(event);
    if (!subject) return {};
    const { called, maker } = subject;
    const names = new Set([called, actorId(event), ...(maker == null ? [] : [userId(maker)])]);
    return { audit_logs: [derivedId(event.id)], resource_names: [...names] };
  },
  // All event types have the same handler.
  on: Object.fromEntries(AUDITED_EVENT_TYPES.map((type) => [type, record])) as Record<EventType, Handler>,
});
