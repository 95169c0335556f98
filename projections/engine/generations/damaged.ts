import type { Coordination } from '../../../stores/coordination/port.ts';
import type { Generation } from '../../../stores/read-store/port.ts';

type Values = Pick<Coordination, 'readUnder' | 'write'>;

const PREFIX = 'damaged:';

/** Tells whoever keeps a projection up to date that its generation is damaged, from whatever process reads it. */
export const reportDamaged = (values: Pick<Values, 'write'>, { projection, number }: Generation): Promise<void> =>
  values.write(PREFIX + projection, number.toString());

/** Generations that were found damaged, by name@version; what was dealt with is to be taken back. */
export const reportedDamaged = async (values: Values): Promise<Map<string, number>> =>
  new Map(
    (await values.readUnder(PREFIX))
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name.slice(PREFIX.length), Number(value)]),
  );

export const takeBackDamaged = (values: Pick<Values, 'write'>, projection: string): Promise<void> =>
  values.write(PREFIX + projection, '');
