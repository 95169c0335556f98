import type { CheckServer, ResultStatus } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A result in the API's representation, except its server, which is stored once in `check_servers`. Results outnumber
 * other documents by a thousand to one, so absent fields are left out.
 */
export interface CheckResultDocument {
  id: string;
  /** null for a run of an unsaved definition */
  check_id: string | null;
  organization_id: string;
  check_type: CheckTypeName;
  /** id of the region */
  region: string;
  /** absent: regular */
  result_type?: 'on_demand';
  execution_id?: string;
  execution_group_id?: string;
  /** its runner was cut off: statistics ignore it */
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
   * `server_metadata.clock_offset_ms` of the server. It differs between results, so it is not part of the server's
   * document. Absent: the result has none
   */
  clock_offset_ms?: number;
  check_metadata: Record<string, unknown>;
  /** alerts that it fired; absent: none */
  triggered_alerts?: readonly TriggeredAlert[];
  /** present if `triggered_alerts` is */
  has_alerts?: true;
}

/** An alert that a result fired. */
export interface TriggeredAlert {
  id: string;
  title: string;
}

/** The server data in results, without its clock offset; a new document whenever the data changes. */
export interface CheckServerDocument {
  /** derived from the content */
  id: string;
  check_server: CheckServer;
  /** when a result first named it, on the last day on which one did */
  seen_at: Instant;
}

/**
 * A result that does not count, or not everywhere: it was late, its check was changed meanwhile, or its runner was cut
 * off (domain/check-result/events.ts). Id: the result's.
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
