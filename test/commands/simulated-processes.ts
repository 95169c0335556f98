import { commandContext, derivedUuid, type CommandContext } from '../../commands/engine/context.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createCommands, type CommandParts, type Commands } from '../../commands/index.ts';
import type { QuotaUsage } from '../../commands/reservations/quotas.ts';
import type { PingDependencies } from '../../commands/dependencies.ts';
import { REGIONS, type LiveRunners } from '../../domain/check/regions.ts';
import { SELF_HOSTED } from '../../domain/organization/plans.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryCoordination } from '../../stores/coordination/memory.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { UNLIMITED } from '../credits.ts';
import { createChannelTests } from '../../service/http/channel-tests.ts';
import { FAKE_PASSWORDS } from '../passwords.ts';
import { ANY_SIGN_UPS, NOTIFIERS, RECEIVERS } from '../sign-ups.ts';

/*
 * Functions that simulate processes which share a log, for tests of their concurrency and of the state that a process
 * leaves behind when it dies.
 */

export interface Process {
  commands: Commands;
}

const REGION = REGIONS[0];
if (!REGION) throw new Error('There is no region.');
const NO_RUNNERS: LiveRunners = { defaultRegion: REGION, abilities: () => Promise.resolve(new Map()) };

const NO_PINGS: PingDependencies = {
  admit: () => undefined,
  store: () => Promise.reject(new Error('There are no pings.')),
};

/** Usage for processes whose plans have no limits. Such processes must not read the usage. */
const NOTHING_COUNTED: QuotaUsage = {
  counted: () => Promise.reject(new Error('Nothing is counted.')),
  caughtUp: () => Promise.reject(new Error('Nothing is counted.')),
};

/** Starts a process with its own cache of streams. Its events are validated as in the service. */
export const startProcess = (store: EventStore, given: Partial<CommandParts> = {}): Process => ({
  commands: createCommands({
    handle: createHandle({
      store: createCheckedStore(store),
      clock: () => Date.UTC(2026, 10, 20, 15),
      pause: () => Promise.resolve(),
    }),
    keys: createMemoryKeys(),
    entries: createMemoryCoordination().entries,
    runners: NO_RUNNERS,
    credits: UNLIMITED,
    statusTimes: { setAt: () => Promise.resolve(null) },
    lookUpTexts: () => Promise.resolve({ known: true, texts: [] }),
    mailDomain: null,
    mails: false,
    receivers: RECEIVERS,
    channelTests: createChannelTests(NOTIFIERS),
    signUps: ANY_SIGN_UPS,
    pings: NO_PINGS,
    plans: SELF_HOSTED,
    passwords: FAKE_PASSWORDS,
    pagePasswords: FAKE_PASSWORDS,
    usage: NOTHING_COUNTED,
    payments: null,
    ...given,
  }),
});

let contexts = 0;

/** Creates the context of a new command by an API key of the organization `org000000001`. */
export const aContext = (given: Partial<CommandContext> = {}): CommandContext =>
  commandContext({
    actor: { kind: 'api_key', id: 'key000000001', role: 'admin' },
    organizationId: 'org000000001',
    correlationId: 'correlation',
    commandId: derivedUuid(`context ${contexts++}`),
    repeatable: false,
    now: '2026-11-20T15:00:00.000000',
    ...given,
  });

/** Thrown by every call of a process that has died. */
export class ProcessDied extends Error {}

const over = (store: EventStore, changed: Partial<EventStore>): EventStore => ({
  ...store,
  name: store.name,
  ...changed,
});

/** Wraps a log for a process that dies right after its n-th append was stored, before it receives the response. */
export const dyingAtAppend = (store: EventStore, n: number): EventStore => {
  let appends = 0;
  const alive = (): void => {
    if (appends >= n) throw new ProcessDied('The process has died.');
  };
  return over(store, {
    append: async (...input) => {
      alive();
      const appended = await store.append(...input);
      appends++;
      alive();
      return appended;
    },
    readStream: async (...input) => {
      alive();
      return store.readStream(...input);
    },
  });
};

/** Wraps a log for a process that is delayed once, before its first append with an event of this type. */
export const delayedBefore = (store: EventStore, type: string, meanwhile: () => Promise<unknown>): EventStore => {
  let waited = false;
  return over(store, {
    append: async (stream, events, expected) => {
      if (!waited && events.some((event) => event.type === type)) {
        waited = true;
        await meanwhile();
      }
      return store.append(stream, events, expected);
    },
  });
};

/** Wraps a log for a process whose calls take a pseudorandom time. */
export const withRandomDelays = (store: EventStore, random: () => number): EventStore => {
  const aWhile = async (): Promise<void> => {
    for (let ticks = Math.floor(random() * 6); ticks > 0; ticks--) {
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return over(store, {
    append: async (...input) => {
      await aWhile();
      const appended = await store.append(...input);
      await aWhile();
      return appended;
    },
    readStream: async (...input) => {
      await aWhile();
      return store.readStream(...input);
    },
  });
};

/** Returns a generator of pseudorandom numbers from 0 to 1 (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
