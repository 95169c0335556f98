import type { RecordType } from '../../domain/check/types/dns.ts';
import type { ProbeFailure } from '../engine/failure.ts';
import type { Alias } from '../../network/dns/aliases.ts';
import type { Answered } from '../../network/dns/answer.ts';

/** What the name servers say. */
export interface Finding {
  /** the name that was asked for first */
  asked: string;
  type: RecordType;
  /** the answer that decides: the last one, where the servers had to be asked for the target of an alias */
  answered: Answered;
  aliases: readonly Alias[];
  /** the name that the aliases lead to */
  name: string;
  /** as they are presented, without repetitions, in order */
  answers: string[];
  /** of the answers, seconds; null if there are none */
  ttl: number | null;
  /** the server has validated all answers that led here */
  authenticated: boolean;
  /** the server has an answer, but fails to validate it */
  invalid: boolean;
  /** why there are no answers; null if there are some */
  failure: ProbeFailure | null;
}
