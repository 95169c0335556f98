import { LRUCache } from 'lru-cache';
import { definitionOf } from '../../domain/catalogue.ts';
import { streamOf, type Decider } from '../../domain/decider.ts';
import { ConcurrentChange, NotFound, PreconditionFailed } from '../../domain/errors.ts';
import type { DomainEvent, NewEvent, RecordedEvent } from '../../domain/event.ts';
import { isRandomUuid } from '../../domain/identity.ts';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { revisedBy, revisionOf, type Precondition } from '../../domain/revision.ts';
import { instantOf, type Instant } from '../../domain/time.ts';
import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '../../stores/event-store/port.ts';
import { noteAppended } from './appended.ts';
import { derivedUuid, type CommandContext } from './context.ts';
import { createQueueLimit, type QueueLimits } from './queue-limit.ts';

/** What a command did: its events, old ones when it had been done before, and the state after them. */
export interface Outcome<State, Event extends DomainEvent> {
  state: State;
  events: Pick<RecordedEvent<Event>, 'id' | 'type' | 'data' | 'metadata'>[];
  /** true when the command's events were found in the stream and nothing was appended */
  repeated: boolean;
}

export interface HandleOptions {
  /** the stream belongs to no single organization (reservations of names that are unique in the service) */
  shared?: boolean;
}

export type Decide<State, Event extends DomainEvent> = (
  state: State,
) => Event | readonly Event[] | Promise<Event | readonly Event[]>;

export interface Handle {
  /**
   * Loads and folds a stream, decides, appends at the expected revision; a conflict is retried three
   * times. Commands on one stream run one after another within the process. An empty decision
   * appends nothing. A command whose caller was already answered does not begin, unless it has appended something
   * before: what that request began, it ends.
   *
   * @throws NotFound the stream is another organization's
   * @throws ConcurrentChange
   * @throws PreconditionFailed the resource that the caller changes has another revision (domain/revision.ts)
   * @throws TooMany too many commands of requests wait (commands/engine/queue-limit.ts)
   * @throws whatever `context.checkDeadline` throws
   * @throws whatever `decide` throws
   */
  <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    decide: Decide<State, Event>,
    context: CommandContext,
    options?: HandleOptions,
  ): Promise<Outcome<State, Event>>;

  /**
   * The state of an aggregate, for a decision about another one or for steps before a decision about itself.
   *
   * @throws PreconditionFailed
   */
  load: <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    context: LoadContext,
    options?: HandleOptions,
  ) => Promise<State>;
}

/** For whom a stream is loaded. */
export type LoadContext = Pick<CommandContext, 'organizationId' | 'precondition'>;

/** A folded stream; `commands` are the events of commands that can come again. */
interface Folded {
  state: unknown;
  revision: bigint | 'no_stream';
  organizationId: string | null;
  /** revisions of the resources in the stream, by id (domain/revision.ts) */
  revisions: Map<string, number>;
  commands: Map<string, { events: Outcome<unknown, DomainEvent>['events']; position: bigint }>;
}

const CONFLICT_RETRIES = 3;
const UNKNOWN_OUTCOME_RETRIES = 2;
const PAGE = 1_000;

export interface HandleDependencies {
  store: EventStore;
  /** milliseconds since 1970 */
  clock: () => number;
  /** Observes the time of each event that is read (commands/engine/fact-clock.ts). */
  heard?: (recordedAt: Instant) => void;
  /** how many folded streams are kept */
  cacheSize?: number;
  /** waits between retries, milliseconds; injected by tests */
  pause?: (milliseconds: number) => Promise<void>;
  /** how many commands of requests may wait; tests use their own */
  queueLimits?: QueueLimits;
}

export const createHandle = (dependencies: HandleDependencies): Handle => {
  const { store, clock, heard, cacheSize = 5_000, pause = sleep, queueLimits } = dependencies;
  const cache = new LRUCache<string, Folded>({ max: cacheSize });
  const inTurn = createKeyedMutex();
  const limited = createQueueLimit(queueLimits);
  /** loads that wait for their turn, by stream */
  const loads = new Map<string, Promise<Folded>>();

  /**
   * Brings the folded stream up to date; a cached one only when `refresh` asks for it. A stream that can't exist yet is
   * not read: if it exists all the same, the append conflicts, and then it is read.
   */
  const fold = async <State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
    { refresh, absent = false }: { refresh: boolean; absent?: boolean },
  ): Promise<Folded> => {
    const cached = cache.get(stream);
    if (cached && !refresh) return cached;
    const folded: Folded = cached ?? {
      state: decider.initialState,
      revision: 'no_stream',
      organizationId: null,
      revisions: new Map(),
      commands: new Map(),
    };
    if (absent && !refresh) return folded;
    for (;;) {
      const from = folded.revision === 'no_stream' ? 0n : folded.revision + 1n;
      const events = await store.readStream(stream, { from, limit: PAGE });
      for (const event of events) {
        remember(folded, decider, event as RecordedEvent<Event>, event.revision, event.position);
        heard?.(event.metadata.recorded_at);
      }
      if (events.length < PAGE) break;
    }
    if (folded.revision !== 'no_stream') cache.set(stream, folded);
    return folded;
  };

  const remember = <State, Event extends DomainEvent>(
    folded: Folded,
    decider: Decider<State, Event>,
    event: NewEvent<Event>,
    revision: bigint,
    position: bigint,
  ): void => {
    if (revision === 0n) folded.organizationId = event.metadata.organization_id;
    folded.state = decider.evolve(folded.state as State, event as unknown as Event);
    folded.revision = revision;
    const revised = revisedBy(event);
    if (revised !== null) folded.revisions.set(revised, revisionOf({ revision }));
    // A random command id never comes again, so nobody will ask for its outcome.
    if (isRandomUuid(event.metadata.command_id)) return;
    const known = folded.commands.get(event.metadata.command_id);
    folded.commands.set(event.metadata.command_id, { events: [...(known?.events ?? []), event], position });
  };

  const checkTenancy = (folded: Folded, organizationId: string, options: HandleOptions | undefined): void => {
    if (options?.shared || folded.revision === 'no_stream') return;
    if (folded.organizationId !== organizationId) throw new NotFound('Not found.');
  };

  const attempt = async <State, Event extends DomainEvent>(
    stream: string,
    decider: Decider<State, Event>,
    decide: Decide<State, Event>,
    context: CommandContext,
    options: HandleOptions | undefined,
    { refresh, absent }: { refresh: boolean; absent: boolean },
  ): Promise<Outcome<State, Event>> => {
    const isFromCache = !refresh && cache.has(stream);
    const folded = await fold(stream, decider, { refresh, absent });
    checkTenancy(folded, context.organizationId, options);
    const known = context.repeatable ? folded.commands.get(context.commandId) : undefined;
    if (known) {
      meet(context, stream);
      noteAppended(context.appended, store.name, known.events, known.position);
      return { state: folded.state as State, events: known.events, repeated: true };
    }
    const unmet = unmetBy(context, stream, folded.revisions);
    const decision = unmet ? { refusal: unmet } : await decisionOf(decide, folded.state as State);
    const appends = 'facts' in decision && decision.facts.length > 0;
    if (!appends && isFromCache) {
      // An append would fail if another process had changed the stream. Nothing else tells whether the cached
      // state is stale, so a refusal, or a decision to do nothing, is made once more on the stream as it is now.
      return attempt(stream, decider, decide, context, options, { refresh: true, absent: false });
    }
    if ('refusal' in decision) throw decision.refusal;
    const { facts } = decision;
    if (facts.length === 0) {
      meet(context, stream);
      return { state: folded.state as State, events: [], repeated: false };
    }
    // Reading the stream, or what the decision needed, may have taken long.
    checkDeadline(context);
    const events = facts.map((fact, index) => newEvent(stream, fact, index, context, instantOf(clock())));
    const appended = await appendSurely(stream, events, folded.revision);
    const first = appended.revision - BigInt(events.length - 1);
    events.forEach((event, index) => {
      remember(folded, decider, event, first + BigInt(index), appended.position);
    });
    cache.set(stream, folded);
    meet(context, stream);
    noteAppended(context.appended, store.name, events, appended.position);
    return { state: folded.state as State, events, repeated: false };
  };

  /** An unknown outcome is asked for again with the same event ids and the same expected revision. */
  const appendSurely = async (stream: string, events: readonly NewEvent[], expected: bigint | 'no_stream') => {
    for (let tries = 0; ; tries++) {
      try {
        return await store.append(stream, events, expected);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === UNKNOWN_OUTCOME_RETRIES) throw error;
        await pause(50 * 2 ** tries * (1 + Math.random()));
      }
    }
  };

  /** A load that has not begun to read will see everything appended by now, so it serves all callers until then. */
  const load = <State, Event extends DomainEvent>(stream: string, decider: Decider<State, Event>): Promise<Folded> => {
    const waiting = loads.get(stream);
    if (waiting) return waiting;
    const loading = inTurn(stream, () => {
      loads.delete(stream);
      return fold(stream, decider, { refresh: true });
    });
    loads.set(stream, loading);
    return loading;
  };

  const handle = <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    decide: Decide<State, Event>,
    context: CommandContext,
    options?: HandleOptions,
  ): Promise<Outcome<State, Event>> => {
    const stream = streamOf(decider.category, id);
    const run = async (): Promise<Outcome<State, Event>> => {
      for (let tries = 0; ; tries++) {
        checkDeadline(context);
        try {
          return await attempt(stream, decider, decide, context, options, {
            refresh: tries > 0,
            absent: context.isNew(id),
          });
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) {
            // After an unknown outcome the cached state may lack a stored event.
            if (error instanceof StoreUnavailable) cache.delete(stream);
            throw error;
          }
          if (tries === CONFLICT_RETRIES) throw new ConcurrentChange();
          await pause(10 * 2 ** tries * (1 + Math.random()));
        }
      }
    };
    return limited(stream, context, () => inTurn(stream, run));
  };

  handle.load = async <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    context: LoadContext,
    options?: HandleOptions,
  ): Promise<State> => {
    const stream = streamOf(decider.category, id);
    const folded = await load(stream, decider);
    checkTenancy(folded, context.organizationId, options);
    const unmet = unmetBy(context, stream, folded.revisions);
    if (unmet) throw unmet;
    return folded.state as State;
  };

  return handle;
};

/** @throws whatever `context.checkDeadline` throws: the caller already has a 503, so the command must not run */
const checkDeadline = ({ appended, checkDeadline: check }: CommandContext): void => {
  if (appended.size === 0) check?.();
};

type Conditional = Pick<CommandContext, 'precondition'>;

/** The precondition of a request, if it concerns the stream and is not met yet; else null. */
const toMeet = ({ precondition }: Conditional, stream: string): Precondition | null =>
  precondition?.stream === stream && !precondition.met ? precondition : null;

/**
 * Why a stream does not meet the precondition of a request; null: it does, or there is none. A resource that does not
 * exist meets it, so that the decision answers with 404.
 *
 * @param revisions of the resources in the stream, by id
 */
const unmetBy = (
  context: Conditional,
  stream: string,
  revisions: ReadonlyMap<string, number>,
): PreconditionFailed | null => {
  const precondition = toMeet(context, stream);
  const revision = precondition && revisions.get(precondition.id);
  if (!precondition?.revisions || revision == null || precondition.revisions.includes(revision)) return null;
  return new PreconditionFailed(
    `This was changed since it was read: its revision is ${revision.toString()}. Read it again.`,
  );
};

/** Marks the precondition as met: later commands of the same request may change the resource again. */
const meet = (context: Conditional, stream: string): void => {
  const precondition = toMeet(context, stream);
  if (precondition) precondition.met = true;
};

/** The decided facts, or why there are none. */
type Decision<Event> = { facts: readonly Event[] } | { refusal: unknown };

const decisionOf = async <State, Event extends DomainEvent>(
  decide: Decide<State, Event>,
  state: State,
): Promise<Decision<Event>> => {
  try {
    const decided = await decide(state);
    return { facts: Array.isArray(decided) ? (decided as readonly Event[]) : [decided as Event] };
  } catch (error) {
    return { refusal: error };
  }
};

/**
 * An event of a command.
 *
 * @param index of the event among those of the command in its stream
 */
export const newEvent = <Event extends DomainEvent>(
  stream: string,
  fact: Event,
  index: number,
  context: CommandContext,
  now: Instant,
): NewEvent<Event> => ({
  id: derivedUuid(`${context.commandId}/${stream}/${index.toString()}`),
  type: fact.type,
  data: fact.data,
  metadata: {
    $correlationId: context.correlationId,
    $causationId: context.commandId,
    command_id: context.commandId,
    actor: context.actor,
    organization_id: context.organizationId,
    recorded_at: now,
    schema_version: definitionOf(fact.type)?.version ?? 1,
    ...(context.clientAddress && { client_address: context.clientAddress }),
    ...(context.userAgent && { user_agent: context.userAgent }),
  },
});

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
