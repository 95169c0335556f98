import { REACTORS_HALTED, type Coordination } from '../../stores/coordination/port.ts';
import type { Place } from './lists.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

/** What a reactor must not forget over a restart. Positions are those of its list's log. */
export interface Checkpoint {
  /** where the list stood when the reactor was first active */
  activated: number;
  /** changes up to here are done, or kept as items that could not be done */
  handled: number;
  /** of a reactor whose outcomes stand in another log than its list: what is due up to here is done; null: nothing is */
  cursor?: Place | null;
  /** what was done before the clock was set back: everything due up to a place and on the list at a position */
  ahead?: readonly { upTo: Place; position: number }[];
}

const nameOf = (reactor: string): string => `reactor:${reactor}`;
const retryNameOf = (reactor: string): string => `reactor-retry:${reactor}`;
/** The value that holds the last request to any reactor. */
const ASKED = 'reactors-asked';
const haltedNameOf = (reactor: string): string => `reactor-halted:${reactor}`;

/** Null before the reactor was ever active. */
export const readCheckpoint = async (values: Pick<Values, 'read'>, reactor: string): Promise<Checkpoint | null> => {
  const text = await values.read(nameOf(reactor));
  return text ? (JSON.parse(text) as Checkpoint) : null;
};

export const writeCheckpoint = (values: Values, reactor: string, checkpoint: Checkpoint): Promise<void> =>
  values.write(nameOf(reactor), JSON.stringify(checkpoint));

/** Where a list stood when its reactor, which does not count what was earlier, was found to be halted. */
interface HaltedAt {
  reason: string;
  position: number;
}

const readHaltedAt = async (values: Pick<Values, 'read'>, reactor: string): Promise<HaltedAt | null> => {
  const text = await values.read(haltedNameOf(reactor));
  return text ? (JSON.parse(text) as HaltedAt) : null;
};

/**
 * Remembers where the list of a halted reactor stands, so that what comes on it before the reactor is resumed is done
 * then. The first position counts; a lower one shows that the list was built anew since, from a log that is shorter.
 */
export const noteHalted = async (values: Values, reactor: string, { reason, position }: HaltedAt): Promise<void> => {
  const known = await readHaltedAt(values, reactor);
  if (known?.reason === reason && known.position <= position) return;
  await values.write(haltedNameOf(reactor), JSON.stringify({ reason, position }));
};

/**
 * Lets halted reactors go on as if they had been active for the first time when they were halted: after the log was
 * restored from a copy, their positions in it may be wrong, and so may their failed items.
 *
 * @param reactors names of all reactors
 */
export const resumeReactors = async (
  values: Values & Pick<Coordination, 'held'>,
  reactors: readonly string[],
): Promise<void> => {
  const reason = await haltedBecause(values);
  for (const reactor of reactors) {
    await values.held.clear(reactor);
    const halted = await readHaltedAt(values, reactor);
    if (halted?.reason === reason) {
      await writeCheckpoint(values, reactor, { activated: halted.position, handled: halted.position });
    } else await values.write(nameOf(reactor), '');
    if (halted) await values.write(haltedNameOf(reactor), '');
  }
  await values.write(REACTORS_HALTED, '');
};

/** Why reactors are halted, in a sentence; null when they run. */
export const haltedBecause = async (values: Pick<Values, 'read'>): Promise<string | null> =>
  (await values.read(REACTORS_HALTED)) || null;

/** Notifies a reactor, in any process, that an operator wants items to be tried again. */
export const askForRetry = async (values: Values, reactor: string, request: string): Promise<void> => {
  await values.write(retryNameOf(reactor), request);
  await values.write(ASKED, request);
};

/** The last request to any reactor: when it changes, each reactor looks for its own. */
export const readAsked = (values: Pick<Values, 'read'>): Promise<string | null> => values.read(ASKED);

/** The last request of an operator; null where there is none. */
export const readRetry = (values: Pick<Values, 'read'>, reactor: string): Promise<string | null> =>
  values.read(retryNameOf(reactor));
