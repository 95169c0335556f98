import type { EventMetadata, NewEvent, RecordedEvent } from '../../../domain/event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import { instantOf } from '../../../domain/time.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';

export const NOW = Date.parse('2026-11-20T15:00:00Z');

const metadataAt = (id: string, at: number): EventMetadata => ({
  $correlationId: id,
  $causationId: id,
  command_id: id,
  actor: { kind: 'api_key', id: 'key000000001', role: 'admin' },
  organization_id: 'org000000001',
  recorded_at: instantOf(at),
  schema_version: 1,
  client_address: { key: 'api_key-key000000001', sealed: 'żółć=' },
});

const sample = (name: string, type: string, data: object, at: number): NewEvent => {
  const id = derivedUuid(name);
  return { id, type, data, metadata: metadataAt(id, at) };
};

/** Appends this many events to a main log. Some of them are adjacent in one stream. */
export const fillMain = async (log: EventStore, events: number): Promise<void> => {
  await openLogIdentity(log, () => NOW);
  for (let number = 0; number < events; number++) {
    // The numbers of the checks are 0 1 1 2 3 3 4 5 5 …: every odd check has two adjacent events.
    const check = number - Math.floor((number + 1) / 3);
    const stream = `check-${check}`;
    const type = (number + 1) % 3 === 0 ? 'CheckDeleted' : 'CheckCreated';
    await log.append(stream, [sample(`main ${number}`, type, { check_id: String(check) }, NOW + number)], 'any');
  }
};

/** The properties of a sample result: its stream, recording time and execution group. */
export interface SampleResult {
  stream: string;
  at: number;
  group?: string;
  type?: 'ExecutionGroupStarted' | 'ExecutionGroupTimedOut';
}

export const fillResults = async (log: EventStore, results: readonly SampleResult[]): Promise<void> => {
  await openLogIdentity(log, () => NOW);
  for (const [number, { stream, at, group, type = 'CheckRunCompleted' }] of results.entries()) {
    const data = { result: number, ...(group !== undefined && { execution_group_id: group }) };
    await log.append(stream, [sample(`result ${number}`, type, data, at)], 'any');
  }
};

/** Appends the newest event of a stream again, with the same id. */
export const storeAgain = async (log: EventStore, stream: string): Promise<void> => {
  const [newest] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  if (!newest) throw new Error(`nothing in ${stream}`);
  const { id, type, data, metadata, revision } = newest;
  await log.append(stream, [{ id, type, data, metadata }], revision);
};

/** Returns results of three regions, one per second. */
export const plainResults = (count: number, from = NOW): SampleResult[] =>
  Array.from({ length: count }, (_, number) => ({
    stream: `check_results-${['a', 'b', 'c'][(number * 7) % 3] ?? ''}`,
    at: from + number * 1_000,
  }));

/** Returns all events of a log without their positions, because positions differ between stores. */
export const eventsIn = async (log: EventStore): Promise<Omit<RecordedEvent, 'position'>[]> => {
  const all: Omit<RecordedEvent, 'position'>[] = [];
  for (let after = 0n; ;) {
    const page = await log.readAll({ after });
    const last = page.at(-1);
    if (!last) return all;
    after = last.position;
    for (const { stream, revision, id, type, data, metadata } of page) {
      all.push({ stream, revision, id, type, data, metadata });
    }
  }
};

/** Groups events by stream. Only the order within a stream is defined, because regions are imported concurrently. */
export const byStream = (events: readonly Omit<RecordedEvent, 'position'>[]): Record<string, unknown[]> => {
  const streams: Record<string, unknown[]> = {};
  for (const event of events) (streams[event.stream] ??= []).push(event);
  return Object.fromEntries(Object.entries(streams).sort(([a], [b]) => (a < b ? -1 : 1)));
};
