import { REACTORS_HALTED, type Coordination } from '../../stores/coordination/port.ts';

type Values = Pick<Coordination, 'read' | 'write'>;

/** What a reactor must not forget over a restart. Positions are those of its to-do list's log. */
export interface ReactorMemory {
  /** where the list stood when the reactor was first active */
  activated: number;
  /** changes up to here are done */
  handled: number;
}

const nameOf = (reactor: string): string => `reactor:${reactor}`;

/** Null before the reactor was ever active. */
export const recall = async (values: Values, reactor: string): Promise<ReactorMemory | null> => {
  const text = await values.read(nameOf(reactor));
  return text ? (JSON.parse(text) as ReactorMemory) : null;
};

export const remember = (values: Values, reactor: string, memory: ReactorMemory): Promise<void> =>
  values.write(nameOf(reactor), JSON.stringify(memory));

/**
 * Lets halted reactors go on, as if they were active for the first time: after the log was restored
 * from a copy, what they remember of its positions may be wrong.
 *
 * @param reactors names of all there are
 */
export const resumeReactors = async (values: Values, reactors: readonly string[]): Promise<void> => {
  for (const reactor of reactors) await values.write(nameOf(reactor), '');
  await values.write(REACTORS_HALTED, '');
};

/** Why reactors are halted, in a sentence; null when they run. */
export const haltedBecause = async (values: Values): Promise<string | null> =>
  (await values.read(REACTORS_HALTED)) || null;
