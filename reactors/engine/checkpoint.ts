import { REACTORS_HALTED, type Coordination } from '../../stores/coordination/port.ts';
import type { DuePlace } from './lists.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

/** The durable state of a reactor. Positions are those of its list's log. */
export interface Checkpoint {
  /** position of the list when the reactor was first active */
  activated: number;
  /** changes up to here are done, or stored as failed items */
  handled: number;
  /**
   * for a reactor whose outcomes are stored in another log than its list: items due up to here are done; null: none are
   */
  cursor?: DuePlace | null;
  /** work done before the clock was set back: everything due up to a place and on the list at a position */
  ahead?: readonly { upTo: DuePlace; position: number }[];
}

const nameOf = (reactor: string): string => `reactor:${reactor}`;
const retryNameOf = (reactor: string): string => `reactor-retry:${reactor}`;
/** Name of the value with the last operator request to any reactor. */
const LAST_REQUEST = 'reactors-asked';
const haltedNameOf = (reactor: string): string => `reactor-halted:${reactor}`;

/** The stored checkpoint; null: the reactor was never active. */
export const readCheckpoint = async (values: Pick<Values, 'read'>, reactor: string): Promise<Checkpoint | null> => {
  const text = await values.read(nameOf(reactor));
  return text ? (JSON.parse(text) as Checkpoint) : null;
};

export const writeCheckpoint = (values: Values, reactor: string, checkpoint: Checkpoint): Promise<void> =>
  values.write(nameOf(reactor), JSON.stringify(checkpoint));

/** The position of a list when its reactor, which skips earlier items, was found to be halted. */
interface HaltedAt {
  reason: string;
  position: number;
}

const readHaltedAt = async (values: Pick<Values, 'read'>, reactor: string): Promise<HaltedAt | null> => {
  const text = await values.read(haltedNameOf(reactor));
  return text ? (JSON.parse(text) as HaltedAt) : null;
};

/**
 * Stores the position of a halted reactor's list, so that items that arrive before the reactor resumes are done then.
 * The first position counts; a lower one means that the list was rebuilt from a shorter log.
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
 * Resumes halted reactors as if they had been first active when they were halted: after the log was restored from a
 * backup, their checkpoints and failed items may be wrong.
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

/** Why reactors are halted, as a sentence; null: they are running. */
export const readHaltReason = async (values: Pick<Values, 'read'>): Promise<string | null> =>
  (await values.read(REACTORS_HALTED)) || null;

/** Asks a reactor, in any process, to retry items on behalf of an operator. */
export const requestRetry = async (values: Values, reactor: string, request: string): Promise<void> => {
  await values.write(retryNameOf(reactor), request);
  await values.write(LAST_REQUEST, request);
};

/** The last request to any reactor. When it changes, each reactor checks for its own request. */
export const readLastRequest = (values: Pick<Values, 'read'>): Promise<string | null> => values.read(LAST_REQUEST);

/** An operator's last request to a reactor; null: none. */
export const readRetryRequest = (values: Pick<Values, 'read'>, reactor: string): Promise<string | null> =>
  values.read(retryNameOf(reactor));
