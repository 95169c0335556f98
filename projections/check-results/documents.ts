import type { CheckServer, ResultStatus } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A result in the form of API responses, without the data of its server, which `check_servers` contains only once. To
 * save space, fields without a value are omitted: there are a thousand times as many results as other documents.
 */
export interface CheckResultDocument {
  id: string;
  /** null for a run of an unsaved definition */
  check_id: string | null;
  organization_id: string;
  check_type: CheckTypeName;
  /** id of the region */
  region: string;
  /** Absent for a regular result. */
  result_type?: 'on_demand';
  execution_id?: string;
  execution_group_id?: string;
  /** Set if the runner was cut off. Statistics ignore the result. */
  suspect?: true;
  /** when the run took place (domain/check-result/result-time.ts) */
  created_at: Instant;
  status: ResultStatus;
  reason?: string;
  /** whole milliseconds */
  response_time: number | null;
  error_message?: string;
  /** id of the document in `check_servers` */
  server: string;
  /**
   * `server_metadata.clock_offset_ms` of the server. It is different in each result, so it is not part of the server's
   * document. Absent if the result has none.
   */
  clock_offset_ms?: number;
  check_metadata: Record<string, unknown>;
  /** Alerts that the result fired. Absent if there are none. */
  triggered_alerts?: readonly TriggeredAlert[];
  /** Present if `triggered_alerts` is present. */
  has_alerts?: true;
}

/** An alert that a result fired. */
export interface TriggeredAlert {
  id: string;
  title: string;
}

/** The server data of results, without the clock offset. Changed data gets a new document with a different id. */
export interface CheckServerDocument {
  /** Hash of the content. */
  id: string;
  check_server: CheckServer;
  /** Time of the first result of the newest day on which a result referred to the document. */
  seen_at: Instant;
}

/**
 * A result that does not count, or counts only for some purposes: it was late, its check was changed during the run, or
 * its runner was cut off (domain/check-result/events.ts). The document has the id of the result.
 */
export interface ExcludedResultDocument {
  id: string;
  check_id: string;
  execution_group_id?: string;
  created_at: Instant;
  late?: true;
  outdated?: true;
  suspect?: true;
}
