import { LRUCache } from 'lru-cache';
import { definitionOf } from '../../domain/event-types.ts';
import { streamOf, type Decider } from '../../domain/decider.ts';
import { ConcurrentChange, NotFound, PreconditionFailed } from '../../domain/errors.ts';
import type { DomainEvent, NewEvent, RecordedEvent } from '../../domain/event.ts';
import { isRandomUuid } from '../../domain/identity.ts';
import { createKeyedMutex } from '../../domain/concurrency/mutex.ts';
import { retried } from '../../domain/concurrency/retried.ts';
import { revisedBy, revisionOf, type Precondition } from '../../domain/revision.ts';
import { instantOf, type Instant } from '../../domain/time.ts';
import { StoreUnavailable, WrongExpectedRevision, type EventStore } from '../../stores/event-store/port.ts';
import { recordAppended } from './appended-positions.ts';
import { derivedUuid, type CommandContext } from './context.ts';
import { createQueueLimit, type QueueLimits } from './queue-limit.ts';

/**
 * The result of a command: its events, and the state after them. A repeated command returns the events of its first
 * run.
 */
export interface Outcome<State, Event extends DomainEvent> {
  state: State;
  events: Pick<RecordedEvent<Event>, 'id' | 'type' | 'data' | 'metadata'>[];
  /** Whether the stream already had the events of the command, so that nothing was appended. */
  repeated: boolean;
}

export interface HandleOptions {
  /**
   * Whether the stream belongs to no organization, such as the reservation of a name that is unique in the whole
   * service.
   */
  shared?: boolean;
}

export type Decide<State, Event extends DomainEvent> = (
  state: State,
) => Event | readonly Event[] | Promise<Event | readonly Event[]>;

export interface Handle {
  /**
   * Loads and folds a stream, decides, and appends the decided events at the expected revision. If the append
   * conflicts, the whole procedure is repeated up to three times. If the decision is empty, nothing is appended.
   * Commands on one stream run one after another within the process. If the request has timed out, a command starts
   * only if the request has already appended events and therefore must be completed.
   *
   * @throws NotFound if the stream belongs to another organization
   * @throws ConcurrentChange
   * @throws PreconditionFailed if the resource that the caller changes has another revision (domain/revision.ts)
   * @throws TooMany if too many commands of requests are queued (commands/engine/queue-limit.ts)
   * @throws any error of `context.checkDeadline` and `decide`
   */
  <State, Event extends DomainEvent>(
    id: string,
    decider: Decider<State, Event>,
    decide: Decide<State, Event>,
    context: CommandContext,
    options?: HandleOptions,
  ): Promise<Outcome<State, Event>>;

  /**
   * Loads the state of an aggregate without appending. Used for decisions about other aggregates, and for validation
   * before a command.
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

/** The parts of the context that loading a stream needs. */
export type LoadContext = Pick<CommandContext, 'organizationId' | 'precondition'>;

/** A folded stream. `commands` has the events of repeatable commands, by command id. */
interface Folded {
  state: unknown;
  revision: bigint | 'no_stream';
  organizationId: string | null;
  /** Revisions of the resources in the stream, by resource id (domain/revision.ts). */
  revisions: Map<string, number>;
  commands: Map<string, { events: Outcome<unknown, DomainEvent>['events']; position: bigint }>;
}

const CONFLICT_RETRIES = 3;
const UNKNOWN_OUTCOME_RETRIES = 2;
const PAGE_SIZE = 1_000;

export interface HandleDependencies {
  store: EventStore;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Observes the time of each event that is read (commands/engine/fact-clock.ts). */
  observe?: (recordedAt: Instant) => void;
  /** Maximum number of cached folded streams. */
  cacheSize?: number;
  /** Waits between retries. Tests replace it. */
  pause?: (milliseconds: number) => Promise<void>;
  /** Maximum number of queued commands of requests. Tests replace it. */
  queueLimits?: QueueLimits;
}

export const createHandle = (dependencies: HandleDependencies): Handle => {
  const { store, clock, observe, cacheSize = 5_000, pause = sleep, queueLimits } = dependencies;
  const cache = new LRUCache<string, Folded>({ max: cacheSize });
  const inTurn = createKeyedMutex();
  const limited = createQueueLimit(queueLimits);
  /** queued loads by stream */
  const loads = new Map<string, Promise<Folded>>();

  /**
   * Loads and folds a stream. A cached state is returned as it is, unless `refresh` is set. With `absent`, the stream
   * is assumed not to exist and is not read. If the stream exists nevertheless, the append conflicts, and the retry
   * reads the stream.
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
      const events = await store.readStream(stream, { from, limit: PAGE_SIZE });
      for (const event of events) {
        remember(folded, decider, event as RecordedEvent<Event>, event.revision, event.position);
        observe?.(event.metadata.recorded_at);
      }
      if (events.length < PAGE_SIZE) break;
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
    // A command with a random id is never repeated, so its events need not be remembered.
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
      recordAppended(context.appended, store.name, known.events, known.position);
      return { state: folded.state as State, events: known.events, repeated: true };
    }
    const unmet = unmetBy(context, stream, folded.revisions);
    const decision = unmet ? { refusal: unmet } : await decisionOf(decide, folded.state as State);
    const appends = 'facts' in decision && decision.facts.length > 0;
    if (!appends && isFromCache) {
      // The cached state is outdated if another process has changed the stream. An append would detect this by a
      // conflict, but this decision appends nothing. So repeat the decision with the current state.
      return attempt(stream, decider, decide, context, options, { refresh: true, absent: false });
    }
    if ('refusal' in decision) throw decision.refusal;
    const { facts } = decision;
    if (facts.length === 0) {
      meet(context, stream);
      return { state: folded.state as State, events: [], repeated: false };
    }
    // Reading the stream and deciding might have taken long, so the request might have timed out.
    checkDeadline(context);
    const events = facts.map((fact, index) => toNewEvent(stream, fact, index, context, instantOf(clock())));
    const appended = await appendWithRetries(stream, events, folded.revision);
    const first = appended.revision - BigInt(events.length - 1);
    events.forEach((event, index) => {
      remember(folded, decider, event, first + BigInt(index), appended.position);
    });
    cache.set(stream, folded);
    meet(context, stream);
    recordAppended(context.appended, store.name, events, appended.position);
    return { state: folded.state as State, events, repeated: false };
  };

  /** Appends events. If the outcome is unknown, repeats the append with the same event ids and expected revision. */
  const appendWithRetries = (stream: string, events: readonly NewEvent[], expected: bigint | 'no_stream') =>
    retried(() => store.append(stream, events, expected), {
      tries: 1 + UNKNOWN_OUTCOME_RETRIES,
      retryOn: (error) => error instanceof StoreUnavailable,
      pause: (tried) => pause(25 * 2 ** tried * (1 + Math.random())),
    });

  /**
   * Loads a stream. Callers share a queued load that has not started to read, because such a load will read all events
   * that have been appended so far.
   */
  const load = <State, Event extends DomainEvent>(stream: string, decider: Decider<State, Event>): Promise<Folded> => {
    const queued = loads.get(stream);
    if (queued) return queued;
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
    const runOnce = async (tries: number): Promise<Outcome<State, Event>> => {
      checkDeadline(context);
      return attempt(stream, decider, decide, context, options, { refresh: tries > 1, absent: context.isNew(id) });
    };
    const run = (): Promise<Outcome<State, Event>> =>
      retried(runOnce, {
        tries: 1 + CONFLICT_RETRIES,
        retryOn: (error) => error instanceof WrongExpectedRevision,
        pause: (tried) => pause(5 * 2 ** tried * (1 + Math.random())),
      }).catch((error: unknown) => {
        // The outcome of the append is unknown, so the cached state might lack a stored event.
        if (error instanceof StoreUnavailable) cache.delete(stream);
        throw error instanceof WrongExpectedRevision ? new ConcurrentChange() : error;
      });
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

/** Stops a command whose request has timed out. @throws any error of `context.checkDeadline` */
const checkDeadline = ({ appended, checkDeadline: check }: CommandContext): void => {
  if (appended.size === 0) check?.();
};

type Conditional = Pick<CommandContext, 'precondition'>;

/** Returns the precondition of a request if it applies to the stream and has not been checked yet, otherwise null. */
const toMeet = ({ precondition }: Conditional, stream: string): Precondition | null =>
  precondition?.stream === stream && !precondition.met ? precondition : null;

/**
 * Returns an error if a stream does not meet the precondition of a request, otherwise null. A resource that does not
 * exist meets every precondition, so that the command responds with 404 as it would without a precondition.
 *
 * @param revisions the revisions of the resources in the stream, by id
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
    `The resource was changed since it was read: its revision is now ${revision}. Read it again.`,
  );
};

/** Marks the precondition as met, so that later commands of the same request can change the resource again. */
const meet = (context: Conditional, stream: string): void => {
  const precondition = toMeet(context, stream);
  if (precondition) precondition.met = true;
};

/** The decided events, or the error of the decision. */
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
 * Creates an event of a command.
 *
 * @param index index of the event among the events of the command
 */
export const toNewEvent = <Event extends DomainEvent>(
  stream: string,
  fact: Event,
  index: number,
  context: CommandContext,
  now: Instant,
): NewEvent<Event> => ({
  id: derivedUuid(`${context.commandId}/${stream}/${index}`),
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
