import type { Instant } from '../domain/time.ts';
import type { Read } from '../projections/readers.ts';
import { quietChecks } from '../projections/quiet-checks/projection.ts';

/** A maintenance in progress that keeps the rules of a check quiet. */
export interface Quiet {
  incident_id: string;
  name: string;
  /** when it is to end; it is over only when its status says so */
  until: Instant | null;
}

/**
 * Why the rules of checks fire nothing now (docs/decisions.md: Alerts, Quiet).
 *
 * @returns every given check by its id: the maintenance that is to last longest, or null where none is in progress
 */
export const quietOf = async (read: Read, checkIds: readonly string[]): Promise<Map<string, Quiet | null>> => {
  const { quiet_checks, maintenances } = read(quietChecks);
  const checks = checkIds.length === 0 ? [] : await quiet_checks.getMany([...new Set(checkIds)]);
  const named = new Set(checks.flatMap(({ incident_ids }) => incident_ids));
  const open = named.size === 0 ? [] : await maintenances.getMany([...named]);
  const quiet = new Map(
    checks.map(({ id, incident_ids }) => [
      id,
      open.filter((maintenance) => incident_ids.includes(maintenance.id)).sort(longestFirst)[0],
    ]),
  );
  return new Map(
    checkIds.map((id) => {
      const longest = quiet.get(id);
      return [id, longest ? { incident_id: longest.id, name: longest.name, until: longest.until } : null];
    }),
  );
};

interface Lasting {
  id: string;
  until: Instant | null;
}

/** One without an end lasts longest. */
const longestFirst = (a: Lasting, b: Lasting): number => {
  if (a.until === b.until) return a.id < b.id ? -1 : 1;
  return a.until === null || (b.until !== null && a.until > b.until) ? -1 : 1;
};
