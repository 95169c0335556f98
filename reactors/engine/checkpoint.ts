import { REACTORS_HALTED, type Coordination } from '../../stores/coordination/port.ts';
import type { DuePlace } from './lists.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

/** The durable state of a reactor. Positions are positions in the log of its list. */
export interface Checkpoint {
  /** position of the list when the reactor was first active; 0 if the reactor also handles earlier items */
  activated: number;
  /** the items of all changes up to this position are done, or stored as failed items */
  handled: number;
  /**
   * place in the order of due times up to which all items are done; null if no item is done. Used only for lists of due
   * items from which an item is not removed when it is done
   */
  cursor?: DuePlace | null;
  /**
   * items that must not be done again, although they become due again because the clock was set back. These are the
   * items that are due up to the place `upTo` and whose newest event is at or before `position`
   */
  ahead?: readonly { upTo: DuePlace; position: number }[];
}

const nameOf = (reactor: string): string => `reactor:${reactor}`;
const retryNameOf = (reactor: string): string => `reactor-retry:${reactor}`;
/** Name of the coordination value that stores the newest request of an operator to any reactor. */
const LAST_REQUEST = 'reactors-asked';
const haltedNameOf = (reactor: string): string => `reactor-halted:${reactor}`;

/** Reads the checkpoint of a reactor. Null if the reactor was never active. */
export const readCheckpoint = async (values: Pick<Values, 'read'>, reactor: string): Promise<Checkpoint | null> => {
  const text = await values.read(nameOf(reactor));
  return text ? (JSON.parse(text) as Checkpoint) : null;
};

export const writeCheckpoint = (values: Values, reactor: string, checkpoint: Checkpoint): Promise<void> =>
  values.write(nameOf(reactor), JSON.stringify(checkpoint));

/** Position of a reactor's list at the time when the reactor noticed that reactors are halted. */
interface HaltedAt {
  reason: string;
  position: number;
}

const readHaltedAt = async (values: Pick<Values, 'read'>, reactor: string): Promise<HaltedAt | null> => {
  const text = await values.read(haltedNameOf(reactor));
  return text ? (JSON.parse(text) as HaltedAt) : null;
};

/**
 * Stores the position of a halted reactor's list. When the reactor resumes, it handles the items that arrived after
 * this position. The first position of a halt is stored. It is replaced only by a lower one, which means that the list
 * was rebuilt from a shorter log.
 */
export const storeHaltedPosition = async (
  values: Values,
  reactor: string,
  { reason, position }: HaltedAt,
): Promise<void> => {
  const known = await readHaltedAt(values, reactor);
  if (known?.reason === reason && known.position <= position) return;
  await values.write(haltedNameOf(reactor), JSON.stringify({ reason, position }));
};

/**
 * Resumes halted reactors. Reactors are halted after a log was restored from a backup. Their checkpoints and failed
 * items might then be wrong, so both are discarded, and each reactor behaves as if it had been first active at its
 * halt.
 *
 * @param reactors names of all reactors
 */
export const resumeReactors = async (
  values: Values & Pick<Coordination, 'failedItems'>,
  reactors: readonly string[],
): Promise<void> => {
  const reason = await readHaltReason(values);
  for (const reactor of reactors) {
    await values.failedItems.clear(reactor);
    const halted = await readHaltedAt(values, reactor);
    if (halted?.reason === reason) {
      await writeCheckpoint(values, reactor, { activated: halted.position, handled: halted.position });
    } else await values.write(nameOf(reactor), '');
    if (halted) await values.write(haltedNameOf(reactor), '');
  }
  await values.write(REACTORS_HALTED, '');
};

/** Reads why reactors are halted, as a sentence. Null if they are not halted. */
export const readHaltReason = async (values: Pick<Values, 'read'>): Promise<string | null> =>
  (await values.read(REACTORS_HALTED)) || null;

/** Stores an operator's request to a reactor to retry its failed items. Any process can run the reactor. */
export const requestRetry = async (values: Values, reactor: string, request: string): Promise<void> => {
  await values.write(retryNameOf(reactor), request);
  await values.write(LAST_REQUEST, request);
};

/**
 * Reads the newest request of an operator to any reactor. When this value changes, each reactor reads its own request.
 */
export const readLastRequest = (values: Pick<Values, 'read'>): Promise<string | null> => values.read(LAST_REQUEST);

/** Reads the newest request of an operator to a reactor. Null if there is none. */
export const readRetryRequest = (values: Pick<Values, 'read'>, reactor: string): Promise<string | null> =>
  values.read(retryNameOf(reactor));
