import { followAliases, type Alias } from '../../network/dns/aliases.ts';
import type { QueryServers } from './queries.ts';
import type { DnsFinding } from './finding.ts';
import { presentRecord } from './present/present-record.ts';
import { endlessAliases, noAnswers, unanswered, validationFailed } from './sentences.ts';
import { zoneStartOf } from './zone.ts';

/**
 * Looks up the records of a name. If a response ends with an alias without records of its target, queries the target.
 *
 * @param note is called with a failed look-up before a further query searches for the cause of the failure
 * @throws ProbeFailure if no server responded
 */
export const lookUp = async (
  { queriedName, type }: Pick<DnsFinding, 'queriedName' | 'type'>,
  asker: QueryServers,
  note: (finding: DnsFinding) => void,
): Promise<DnsFinding> => {
  const aliases: Alias[] = [];
  const left = new Set<string>();
  let authenticated = true;
  let name = queriedName;
  for (;;) {
    const answered = await asker({ name, type });
    if (!answered.answered) throw unanswered(answered.failures, { queriedName, name });
    const { message } = answered;
    const end = followAliases(message, name, type, left);
    aliases.push(...end.aliases);
    authenticated &&= message.authenticated;
    const { records } = end;
    const finding: DnsFinding = {
      ...{
        queriedName,
        type,
        response: answered,
        aliases,
        name: end.name,
        authenticated,
        invalid: false,
        failure: null,
      },
      answers: [...new Set(records.map(presentRecord))].sort(byNumber),
      ttl: records.length === 0 ? null : Math.min(...records.map(({ ttl }) => ttl)),
    };
    if (records.length > 0) return finding;
    if (end.endless) return { ...finding, failure: endlessAliases(finding) };
    if (message.rcode === 'NOERROR' && end.name !== name && zoneStartOf(message, end.name) === undefined) {
      name = end.name;
      continue;
    }
    const failed = { ...finding, failure: noAnswers(finding) };
    note(failed);
    return message.rcode === 'SERVFAIL' ? validated(failed, name, asker) : failed;
  }
};

/** Sorts by the leading number, such as the preference of MX records, then as text. */
const byNumber = (one: string, other: string): number =>
  (parseInt(one, 10) || 0) - (parseInt(other, 10) || 0) || (one < other ? -1 : 1);

/**
 * Repeats a query that failed with SERVFAIL, but without DNSSEC validation, to find out whether validation is the cause
 * of the failure.
 */
const validated = async (finding: DnsFinding, name: string, asker: QueryServers): Promise<DnsFinding> => {
  const { server } = finding.response;
  const again = await asker({ name, type: finding.type }, { servers: [server], checkingDisabled: true });
  const invalid = again.answered && ['NOERROR', 'NXDOMAIN'].includes(again.message.rcode);
  return invalid ? { ...finding, invalid, failure: validationFailed(finding) } : finding;
};
