import type { GivenUp } from './cluster/given-up.ts';
import type { Logger } from 'pino';
import type { TakeEffect } from '../api/key-source.ts';
import type { CheckTypeName } from '../domain/check/events.ts';
import type { LiveRunners, Region } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import type { Readers } from '../projections/engine/readers.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import type { EventStore, LogWatches } from '../stores/event-store/port.ts';
import type { Keys } from '../stores/keys/port.ts';
import type { ReadStore } from '../stores/read-store/port.ts';
import type { WorkQueue } from '../stores/work-queue/port.ts';
import type { RemoteRunners } from '../runners/worker/live-runners.ts';
import type { RunnerPresence } from '../domain/runner/presence.ts';
import type { Closing } from './closing.ts';
import type { RemoteAnnouncement } from './cluster/runner-presence.ts';
import type { LinkObserver, RunLink } from './run/run-link.ts';
import type { StoreClock } from './cluster/store-clock.ts';
import type { Troubles } from './troubles.ts';

/** What a deployment is opened with. */
export interface Opening {
  logger: Logger;
  troubles: Troubles;
  closing: Closing;
}

/** Everything that a deployment keeps, opened for a service (design.md: One code base, two deployments). */
export interface Deployment {
  /** where the data is, for a person */
  place: string;
  /** events are checked on append and have their newest version on read */
  main: EventStore;
  results: EventStore;
  /** id of the log `main` */
  logId: string;
  keys: Keys;
  artifacts: Artifacts;
  coordination: Coordination;
  queue: WorkQueue;
  /** compares the clock of this machine with the stores'; null where all is on one machine */
  storeClock: StoreClock | null;
  /** where the admin key made at the first start is kept; null where ADMIN_API_KEY has to be set */
  adminKeyFile: string | null;
  /** Keeps the read models up to date, or follows how others do; call it once, after `bootstrap`. */
  startReadModels: () => Promise<ReadModels>;
  /** Does the other upkeep of the stores on a schedule, such as removing results past retention. */
  startUpkeep: () => Promise<void>;
  /** What the runners of all processes can do. */
  liveRunners: (served: readonly Region[], types: readonly CheckTypeName[], remote: RemoteRunners) => LiveRunners;
  /** Announces to other processes which remote runners are connected to this one. */
  announceRemote: (presences: () => readonly RunnerPresence[]) => RemoteAnnouncement;
  /** Announces to other processes what the runner in this one can do. */
  announce: (regions: () => readonly Region[], types: readonly CheckTypeName[]) => void;
  /**
   * From now on a command that revokes an API key waits until the API of this process has applied that, and so do
   * processes that take something from somebody.
   */
  followGivenUp: (takeEffect: TakeEffect) => Promise<GivenUpHere>;
  /** distinguishes the runner in this process from others */
  runnerIdentity: string;
  link: (readers: Readers, credits: Credits, heard: LinkObserver) => RunLink;
  /** appends to the logs, where other processes keep the read models up to date; null where this one does */
  logWatches: LogWatches | null;
  /** Calls back when a command has asked reactors for something. @returns ends that */
  onReactorsAsked: (callback: () => void) => () => void;
}

/** What was taken from somebody, as the API of a process hears and tells of it (service/cluster/given-up.ts). */
export interface GivenUpHere extends Pick<GivenUp, 'announce' | 'isTold'> {
  /** position of the log `main` that nobody waited for: it must be in effect from the first request on */
  from: bigint;
}

/** The read models as this process sees them. */
export interface ReadModels {
  readStore: ReadStore;
  /** where requests read documents: it may remember them, if it is told what is written (projections/engine/recent-documents.ts) */
  requestStore: ReadStore;
  statuses: Statuses;
  /** Rejects when they can no longer be kept up to date. */
  ended: Promise<unknown>;
}
