import type { Instant } from '../domain/time.ts';
import type { CheckDocument } from '../projections/checks/documents.ts';
import type { Read } from '../projections/readers.ts';
import { suppressedTagId } from '../projections/quiet-checks/documents.ts';
import { quietChecks } from '../projections/quiet-checks/projection.ts';

/** A maintenance in progress that suppresses the rules of a check. */
export interface Suppression {
  incident_id: string;
  name: string;
  /** its planned end; it ends only when its status changes */
  until: Instant | null;
}

/**
 * Why the rules of checks are suppressed now (docs/reference/alerts.md#maintenance).
 *
 * @returns every given check by its id: the maintenance with the latest end, or null if none is in progress
 */
export const readSuppressions = async (
  read: Read,
  checks: readonly Pick<CheckDocument, 'id' | 'organization_id' | 'tags'>[],
): Promise<Map<string, Suppression | null>> => {
  const { quiet_checks, quiet_tags, maintenances } = read(quietChecks);
  const tagsOf = ({ organization_id, tags }: (typeof checks)[number]): string[] =>
    tags.map((tag) => suppressedTagId(organization_id, tag));
  const tagIds = [...new Set(checks.flatMap(tagsOf))];
  const [byCheck, byTag] = await Promise.all([
    checks.length === 0 ? [] : quiet_checks.getMany(checks.map(({ id }) => id)),
    tagIds.length === 0 ? [] : quiet_tags.getMany(tagIds),
  ]);
  const named = new Set([...byCheck, ...byTag].flatMap(({ incident_ids }) => incident_ids));
  const open = named.size === 0 ? [] : await maintenances.getMany([...named]);
  const incidents = new Map([...byCheck, ...byTag].map(({ id, incident_ids }) => [id, incident_ids]));
  return new Map(
    checks.map((check) => {
      const ids = new Set([check.id, ...tagsOf(check)].flatMap((id) => incidents.get(id) ?? []));
      const longest = open.filter((maintenance) => ids.has(maintenance.id)).sort(longestFirst)[0];
      return [check.id, longest ? { incident_id: longest.id, name: longest.name, until: longest.until } : null];
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
