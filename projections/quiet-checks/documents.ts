import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { Instant } from '../../domain/time.ts';

/** A check, or a tag of checks, that a component names. The id is that of the check, or {@link suppressedTagId}. */
export interface SuppressionDocument {
  id: string;
  organization_id: string;
  /**
   * Maintenances in progress that suppress the alert rules of the check or tag, without duplicates. If empty, the rules
   * fire.
   */
  incident_ids: readonly string[];
  /** Internal: these maintenances by page. Contains every page on which a component has ever named the check or tag. */
  by_page: Readonly<Record<string, readonly string[]>>;
  /** Position of the newest event that changed `incident_ids`. */
  changed_position: number;
}

/** Internal: a maintenance. The id is that of the incident. */
export interface SuppressingMaintenanceDocument {
  id: string;
  organization_id: string;
  name: string;
  /** Planned end. The maintenance does not end automatically at this time: only a change of its status ends it. */
  until: Instant | null;
  facts: readonly IncidentFact[];
}

/**
 * Internal: the components of a page that name a check or a tag, and the maintenances in progress. The id is that of
 * the page.
 */
export interface WatchedPageDocument {
  id: string;
  organization_id: string;
  /** Ids of checks, by component. */
  checks: Readonly<Record<string, string>>;
  /** Ids of tags, by component. */
  tags: Readonly<Record<string, string>>;
  /** Components that each maintenance in progress names, by incident. */
  maintenances: Readonly<Record<string, readonly string[]>>;
}

/** Returns the id of a tag of an organization's checks. */
export const suppressedTagId = (organizationId: string, tag: string): string => `${organizationId}/${tag}`;
