import type { Coordination } from '../../../stores/coordination/port.ts';
import type { Generation } from '../../../stores/read-store/port.ts';

type Values = Pick<Coordination, 'readByPrefix' | 'write'>;

const PREFIX = 'damaged:';

/** Reports a damaged generation to the process that keeps it up to date. Can be called in any process. */
export const reportDamage = (values: Pick<Values, 'write'>, { projection, number }: Generation): Promise<void> =>
  values.write(PREFIX + projection, number.toString());

/** Reads the reports of damaged generations, by name@version. The caller must delete a report after handling it. */
export const readDamageReports = async (values: Values): Promise<Map<string, number>> =>
  new Map(
    (await values.readByPrefix(PREFIX))
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => [name.slice(PREFIX.length), Number(value)]),
  );

export const withdrawDamageReport = (values: Pick<Values, 'write'>, projection: string): Promise<void> =>
  values.write(PREFIX + projection, '');
