import type { Instant } from '../domain/time.ts';
import type { CheckDocument } from '../projections/checks/documents.ts';
import type { Read } from '../projections/readers.ts';
import { suppressedTagId } from '../projections/quiet-checks/documents.ts';
import { quietChecks } from '../projections/quiet-checks/projection.ts';

/** A maintenance in progress that suppresses the rules of a check. */
export interface Suppression {
  incident_id: string;
  name: string;
  /** Planned end. The maintenance does not end at this time, but when its status changes. */
  until: Instant | null;
}

/**
 * Finds the maintenances that currently suppress the rules of checks (docs/reference/alerts.md#maintenance).
 *
 * @returns for each check, by id, the suppressing maintenance with the latest end, or null if there is none
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

/** Sorts maintenances by their end, latest first. A maintenance without an end comes first. */
const longestFirst = (a: Lasting, b: Lasting): number => {
  if (a.until === b.until) return a.id < b.id ? -1 : 1;
  return a.until === null || (b.until !== null && a.until > b.until) ? -1 : 1;
};
