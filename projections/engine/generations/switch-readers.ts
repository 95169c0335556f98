import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../../stores/coordination/port.ts';
import type { Generation, ReadStore } from '../../../stores/read-store/port.ts';
import { dropOrphans } from './orphans.ts';
import { readSwitch, writeSwitch } from './switch.ts';

export interface SwitchReadersOptions {
  readStore: ReadStore;
  coordination: Coordination;
  keepEngineOut: () => Promise<(() => Promise<void>) | null>;
  /** Folds new events. */
  catchUp: () => Promise<void>;
  /** Called when the switch is requested. The generation might be in use after that. */
  onRequested: () => void;
  /** Called when the switch is refused. The generation is not in use, and will not be. */
  onRefused: () => void;
  signal: AbortSignal;
}

/** Time between two polls for the engine's response, in milliseconds. */
const POLL_MS = 50;
/** If the engine has not responded after this many polls, it might have ended. */
const MAX_POLLS = 60;
/** If the engine has not responded to this many requests, it belongs to another release or does not work. */
const MAX_REQUESTS = 20;

/**
 * Switches readers to a generation that has caught up. The running engine performs the switch. If no engine is running,
 * this function performs it.
 *
 * @throws Error if the engine refused, or did not respond for a minute
 */
export const switchReaders = async (generation: Generation, options: SwitchReadersOptions): Promise<void> => {
  for (let requests = 0; requests < MAX_REQUESTS; requests++) {
    const letEngineIn = await options.keepEngineOut();
    if (letEngineIn) {
      try {
        await switchHere(generation, options);
      } finally {
        await letEngineIn();
      }
      return;
    }
    if (await askEngine(generation, options)) return;
  }
  await cancel(generation, options);
  throw new Error(`The running service does not keep ${generation.projection} up to date, so it cannot switch.`);
};

const switchHere = async (generation: Generation, options: SwitchReadersOptions): Promise<void> => {
  const { readStore, coordination, catchUp, signal } = options;
  const { projection, number } = generation;
  const lease = await coordination.acquire(`projection:${projection}`, signal);
  try {
    await catchUp();
    await coordination.switchGeneration(projection, number, lease.token);
    await writeSwitch(coordination, projection, { generation: number, state: 'switched', reason: null });
    // No engine is running, so all earlier generations are orphans. A later one may be in progress, because an engine
    // might have started in the meantime.
    const inUse = (other: number): boolean => other >= number;
    await dropOrphans({ projection, readStore, coordination, lease, inUse, silence: 0, signal });
  } finally {
    await lease.release();
  }
};

/** Requests the switch from the engine. @returns false if the engine has not responded */
const askEngine = async (generation: Generation, options: SwitchReadersOptions): Promise<boolean> => {
  const { coordination, onRequested, onRefused, signal } = options;
  const { projection, number } = generation;
  onRequested();
  await writeSwitch(coordination, projection, { generation: number, state: 'requested', reason: null });
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    try {
      await sleep(POLL_MS, undefined, { signal });
    } catch (error) {
      await cancel(generation, options);
      throw error;
    }
    const response = await readSwitch(coordination, projection);
    if (response?.generation === number && response.state === 'switched') return true;
    // The generation is not dropped here, because the engine might be about to use it.
    if (response?.generation !== number) throw new Error(`Another rebuild of ${projection} finished first.`);
    if (response.state === 'refused') {
      // The engine that refused might have lost its lease without noticing, and the new holder of the lease might have
      // switched.
      if (await isLive(generation, coordination)) return true;
      onRefused();
      throw new Error(response.reason ?? `The engine refused to switch to generation ${number} of ${projection}.`);
    }
  }
  return false;
};

const isLive = async ({ projection, number }: Generation, coordination: Coordination): Promise<boolean> =>
  (await coordination.catalogue()).some((entry) => entry.projection === projection && entry.live === number);

const cancel = ({ projection, number }: Generation, { coordination }: SwitchReadersOptions): Promise<void> =>
  writeSwitch(coordination, projection, { generation: number, state: 'cancelled', reason: null });
