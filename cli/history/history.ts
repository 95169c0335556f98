import { parseInstant, type Instant } from '../../domain/time.ts';
import { streamOf } from '../../domain/decider.ts';
import { byPosition, type RecordedEvent } from '../../domain/event.ts';
import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { Read } from '../../projections/readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { describeEvent } from '../../queries/history/describe.ts';
import { formatEvent } from './describe.ts';
import { RESOURCE_KINDS, type ResourceKind } from './kinds.ts';
import { readWholeStream } from '../../projections/past/whole-streams.ts';
import { createPastRead } from '../../projections/past/past-read.ts';
import { foldInMemory } from '../../projections/engine/in-memory.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';

type AnyEvent = RecordedEventOf<EventType>;

export interface HistoryOptions {
  kind: string;
  id: string;
  /** show the resource as it was at this time (by `recorded_at`) instead of its events */
  at?: string | undefined;
  /** print JSON for tools: one event per line, or the resource on one line */
  json: boolean;
}

export interface HistoryStores {
  /** the log `main`, whose events are upcast to the current versions */
  main: EventStore;
  keys: Keys;
}

/**
 * Writes who changed a resource, when and how, oldest change first. With `at`, writes the resource as it was at that
 * time.
 *
 * @throws OperatorError the kind, the id or the time is invalid
 */
export const writeHistory = async (options: HistoryOptions, stores: HistoryStores, output: Output): Promise<void> => {
  const kind = RESOURCE_KINDS.get(options.kind);
  if (!kind) {
    const kinds = [...RESOURCE_KINDS.keys()].join(', ');
    throw new OperatorError(`The kind "${options.kind}" does not exist. Use one of ${kinds}.`);
  }
  const at = options.at === undefined ? null : instantFrom(options.at);
  const own = await readWholeStream(stores.main, streamOf(options.kind, options.id));
  if (own.length === 0) throw new OperatorError(`No ${options.kind} has the id "${options.id}".`);
  const context = await Promise.all(kind.context(own).map((stream) => readWholeStream(stores.main, stream)));
  const all = [...own, ...context.flat()].sort(byPosition);
  if (at === null) await describeAll(own, all, options.json, stores, output);
  else await showAt(at, kind, options, { own, all }, stores, output);
};

const describeAll = async (
  own: readonly RecordedEvent[],
  all: readonly RecordedEvent[],
  json: boolean,
  { main, keys }: HistoryStores,
  output: Output,
): Promise<void> => {
  const organization = own[0]?.metadata.organization_id;
  const callers = organization ? await readWholeStream(main, streamOf('organization', organization)) : [];
  const names = namesIn([...callers, ...all]);
  for (const event of own) {
    const described = await describeEvent(event, keys, names);
    if (json) await output.line(JSON.stringify({ ...described, ...identity(event) }));
    else for (const line of formatEvent(described, names)) await output.line(line);
  }
};

const identity = ({ id, stream, revision, metadata }: RecordedEvent) => ({
  id,
  stream,
  revision: Number(revision),
  organization_id: metadata.organization_id,
  command_id: metadata.command_id,
  correlation_id: metadata.$correlationId,
});

/** Returns read models built from exactly these events of `main`. */
const readOf = (events: readonly RecordedEvent[]): Read =>
  createPastRead(async (projection) => {
    const store = createMemoryReadStore();
    return { store, generation: await foldInMemory(projection, projection.log === 'main' ? [events] : [], store) };
  });

const showAt = async (
  at: Instant,
  kind: ResourceKind,
  { kind: name, id, at: requested = '', json }: HistoryOptions,
  events: { own: readonly RecordedEvent[]; all: readonly RecordedEvent[] },
  { keys }: HistoryStores,
  output: Output,
): Promise<void> => {
  const until = (list: readonly RecordedEvent[]) => list.filter((event) => event.metadata.recorded_at <= at);
  const own = until(events.own);
  const shown = own.length === 0 ? null : await kind.show({ id, own, read: readOf(until(events.all)), keys, at });
  if (shown === null) {
    const when = own.length === 0 ? 'yet' : 'any more';
    throw new OperatorError(`The ${name} "${id}" did not exist ${when} at ${requested}.`);
  }
  await output.line(JSON.stringify(shown, null, json ? undefined : 2));
};

/** Returns the newest names of API keys, secrets and components, by id. */
export const namesIn = (events: readonly RecordedEvent[]): Map<string, string> => {
  const names = new Map<string, string>();
  const name = (id: string, text: string | undefined): void => {
    if (text !== undefined) names.set(id, text);
  };
  for (const event of events as readonly AnyEvent[]) {
    if (event.type === 'ApiKeyCreated') name(event.data.api_key_id, event.data.name);
    if (event.type === 'SecretCreated') name(event.data.secret_id, event.data.secret_name);
    if (event.type === 'ComponentAdded') name(event.data.component_id, event.data.component.name);
    if (event.type === 'ComponentUpdated') name(event.data.component_id, event.data.changes.name);
  }
  return names;
};

/** Parses a time. @throws OperatorError */
const instantFrom = (text: string): Instant => {
  const instant = parseInstant(text);
  if (instant === null)
    throw new OperatorError(`"${text}" is not a valid time. Write it as 2026-11-20T15:04:05Z or 2026-11-20.`);
  return instant;
};
