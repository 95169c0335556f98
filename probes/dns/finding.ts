import type { RecordType } from '../../domain/check/types/dns.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import type { Alias } from '../../network/dns/aliases.ts';
import type { AnsweredQuery } from '../../network/dns/query-outcome.ts';

/** The name servers' answers for a name. */
export interface DnsFinding {
  /** the name first queried */
  queriedName: string;
  type: RecordType;
  /** the response that decides: the last one, if the target of an alias took another query */
  response: AnsweredQuery;
  aliases: readonly Alias[];
  /** the name at the end of the aliases */
  name: string;
  /** presented, deduplicated and sorted */
  answers: string[];
  /** seconds; null if there are no answers */
  ttl: number | null;
  /** whether the server validated all responses that led here by DNSSEC */
  authenticated: boolean;
  /** whether the server has an answer that fails DNSSEC validation */
  invalid: boolean;
  /** why there are no answers; null if there are */
  failure: ProbeFailure | null;
}
