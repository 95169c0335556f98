import { eventTypes, type EventOf, type EventType } from '../../domain/event-types.ts';
import { streamOf } from '../../domain/decider.ts';
import type { EventMetadata, RecordedEvent } from '../../domain/event.ts';
import { instantOf } from '../../domain/time.ts';

/** An event, with the parts of its stream and metadata that matter in the test. */
export type Fact = EventOf<EventType> & {
  /** default: the stream of the id in the data (`page_id` for events of a page), otherwise `{category}-1` */
  stream?: string;
  /** default: by an API key of the organization `org000000001`, a second after the previous event */
  metadata?: Partial<EventMetadata>;
};

const START = Date.parse('2026-11-20T15:00:00Z');

const categories = new Map<string, string>(
  Object.entries(eventTypes).flatMap(([category, events]) => Object.keys(events).map((type) => [type, category])),
);

const streamOfFact = ({ type, data, stream }: Fact): string => {
  if (stream !== undefined) return stream;
  const category = categories.get(type) ?? 'unknown';
  const id = (data as Record<string, unknown>)[`${category}_id`];
  return streamOf(category, typeof id === 'string' ? id : '1');
};

/**
 * Returns facts as a log would return them. Positions have gaps, and ids and times follow from the index in the list.
 */
export const recorded = (facts: readonly Fact[]): RecordedEvent[] => {
  const lengths = new Map<string, bigint>();
  return facts.map((fact, index) => {
    const stream = streamOfFact(fact);
    const revision = lengths.get(stream) ?? 0n;
    lengths.set(stream, revision + 1n);
    const id = `00000000-0000-4000-8000-${(index + 1).toString().padStart(12, '0')}`;
    return {
      id,
      type: fact.type,
      data: fact.data,
      metadata: {
        $correlationId: id,
        $causationId: id,
        command_id: id,
        actor: { kind: 'api_key', id: 'key000000001', role: 'admin' },
        organization_id: 'org000000001',
        recorded_at: instantOf(START + index * 1_000),
        schema_version: 1,
        ...fact.metadata,
      },
      stream,
      revision,
      position: BigInt((index + 1) * 10),
    };
  });
};
