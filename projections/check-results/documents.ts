import type { CheckServer, ResultStatus } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A result in the shape of the API, except its server, which is stored once in `check_servers`. There
 * are a thousand of these for each other document, so absent fields are left out.
 */
export interface CheckResultDocument {
  id: string;
  /** null for a run of a definition that is not stored */
  check_id: string | null;
  organization_id: string;
  check_type: CheckTypeName;
  /** id of the region */
  region: string;
  /** absent: regular */
  result_type?: 'on_demand';
  execution_id?: string;
  execution_group_id?: string;
  /** its runner was cut off: no figure counts it */
  suspect?: true;
  /** when its run took place (domain/check-result/result-time.ts) */
  created_at: Instant;
  status: ResultStatus;
  reason?: string;
  /** whole milliseconds */
  response_time: number | null;
  error_message?: string;
  /** id of the document in `check_servers` */
  server: string;
  /**
   * `server_metadata.clock_offset_ms` of the server: it differs from result to result, so it is no part of the document
   * of the server. Absent: the result has none
   */
  clock_offset_ms?: number;
  check_metadata: Record<string, unknown>;
  /** alerts that it made fire; absent: none */
  triggered_alerts?: readonly TriggeredAlert[];
  /** as `triggered_alerts`; absent: none */
  has_alerts?: true;
}

/** An alert that a result made fire. */
export interface TriggeredAlert {
  id: string;
  title: string;
}

/** What results say of one server, without the offset of its clock; another document whenever that changes. */
export interface CheckServerDocument {
  /** derived from the content */
  id: string;
  check_server: CheckServer;
  /** when a result first named it, on the last day that one did */
  seen_at: Instant;
}
