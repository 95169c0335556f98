import type { RecordType } from '../../domain/check/types/dns.ts';
import type { ProbeFailure } from '../engine/probe-failure.ts';
import type { Alias } from '../../network/dns/aliases.ts';
import type { AnsweredQuery } from '../../network/dns/query-outcome.ts';

/** The name servers' answers for a name. */
export interface DnsFinding {
  /** the name of the first query */
  queriedName: string;
  type: RecordType;
  /** the response to the final query; there are several queries if the target of an alias had to be queried too */
  response: AnsweredQuery;
  aliases: readonly Alias[];
  /** the name at the end of the aliases */
  name: string;
  /** presented, deduplicated and sorted */
  answers: string[];
  /** in seconds; null if there are no answers */
  ttl: number | null;
  /** whether the server validated the responses to all queries by DNSSEC */
  authenticated: boolean;
  /** whether the server has an answer that fails DNSSEC validation */
  invalid: boolean;
  /** the reason why there are no answers; null if there are answers */
  failure: ProbeFailure | null;
}
