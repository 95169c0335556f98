import type { Revocations } from './cluster/revocations.ts';
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
import type { Shutdown } from './shutdown.ts';
import type { RemoteAnnouncement } from './cluster/runner-presence.ts';
import type { LinkObserver, RunLink } from './run/run-link.ts';
import type { StoreClock } from './cluster/store-clock.ts';
import type { TroubleLog } from './trouble-log.ts';

/** The dependencies with which a deployment is opened. */
export interface Opening {
  logger: Logger;
  troubles: TroubleLog;
  closing: Shutdown;
}

/** The opened stores and functions of a deployment (docs/decisions/0001-two-deployments.md). */
export interface Deployment {
  /** place of the data, for messages */
  location: string;
  /** the main log, which validates events on append and upcasts them on read */
  main: EventStore;
  results: EventStore;
  /** id of the log `main` */
  logId: string;
  keys: Keys;
  artifacts: Artifacts;
  coordination: Coordination;
  queue: WorkQueue;
  /** compares the clock of this machine with the clock of the stores; null if the stores are on this machine */
  storeClock: StoreClock | null;
  /** path of the file for the admin key that the first start generates; null: ADMIN_API_KEY has to be set */
  adminKeyFile: string | null;
  /**
   * Keeps the read models up to date, or follows the process that keeps them up to date. Must be called only once,
   * after `bootstrap`.
   */
  startReadModels: () => Promise<ReadModels>;
  /** Starts the other periodic tasks of the stores, such as removing results that are past retention. */
  startUpkeep: () => Promise<void>;
  /** Returns the abilities of the runners of all processes. */
  liveRunners: (served: readonly Region[], types: readonly CheckTypeName[], remote: RemoteRunners) => LiveRunners;
  /** Announces to other processes which remote runners are connected to this one. */
  announceRemote: (presences: () => readonly RunnerPresence[]) => RemoteAnnouncement;
  /** Announces to other processes the abilities of this process's runner. */
  announce: (regions: () => readonly Region[], types: readonly CheckTypeName[]) => void;
  /**
   * Starts to apply revocations. After this call, commands and processes that revoke access wait until this process has
   * applied the revocation.
   */
  followRevocations: (takeEffect: TakeEffect) => Promise<ApiRevocations>;
  /** distinguishes the runner in this process from others */
  runnerIdentity: string;
  link: (readers: Readers, credits: Credits, observer: LinkObserver) => RunLink;
  /**
   * watches the logs for events that other processes append; null if this process itself keeps the read models up to
   * date
   */
  logWatches: LogWatches | null;
  /**
   * Registers a callback that is called when a command makes a request to reactors.
   *
   * @returns a function that unregisters the callback
   */
  onReactorRequest: (callback: () => void) => () => void;
}

/** Revocations as the API of a process uses them (service/cluster/revocations.ts). */
export interface ApiRevocations extends Pick<Revocations, 'announce' | 'isCurrent'> {
  /** position of the log `main` that must be applied before the first request */
  from: bigint;
}

/** The read models as this process uses them. */
export interface ReadModels {
  readStore: ReadStore;
  /**
   * the store from which requests read documents. It may cache them if it learns of all writes
   * (projections/engine/document-cache.ts)
   */
  requestStore: ReadStore;
  statuses: Statuses;
  /** Rejects when the read models can no longer follow the logs. */
  ended: Promise<unknown>;
}
