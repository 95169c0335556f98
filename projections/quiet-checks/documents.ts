import type { IncidentFact } from '../../domain/incident/facts.ts';
import type { Instant } from '../../domain/time.ts';

/** A check, or a tag of checks, that a component names. Id: the check's, or {@link suppressedTagId}. */
export interface SuppressionDocument {
  id: string;
  organization_id: string;
  /** the maintenances in progress that name one of its components, each once; empty: its rules fire */
  incident_ids: readonly string[];
  /** internal: the same by page, for every page with a component that has ever named it */
  by_page: Readonly<Record<string, readonly string[]>>;
  /** position of the event that last changed `incident_ids` */
  changed_position: number;
}

/** Internal: a maintenance. Id: the incident's. */
export interface SuppressingMaintenanceDocument {
  id: string;
  organization_id: string;
  name: string;
  /** its planned end; it ends by a status change, not at this time */
  until: Instant | null;
  facts: readonly IncidentFact[];
}

/** Internal: the components of a page that name a check or a tag, and its maintenances in progress. Id: the page's. */
export interface WatchedPageDocument {
  id: string;
  organization_id: string;
  /** the check by component */
  checks: Readonly<Record<string, string>>;
  /** the id of the tag by component */
  tags: Readonly<Record<string, string>>;
  /** the components named by a maintenance in progress, by incident */
  maintenances: Readonly<Record<string, readonly string[]>>;
}

/** The id of a tag of an organization's checks. */
export const suppressedTagId = (organizationId: string, tag: string): string => `${organizationId}/${tag}`;
