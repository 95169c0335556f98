import type { AnsweredQuery, UnansweredQuery } from '../../../network/dns/query-outcome.ts';
import { queryServers, type QueryOptions } from '../../../network/dns/query-servers.ts';
import type { DnsQuestion } from '../../../network/dns/message.ts';
import { serversOfCheck } from '../../../network/dns/servers.ts';
import { contextOf, type TestRunOptions } from '../../probes/run-context.ts';

/** Fields that replace those of the default query. */
export type QueryOptionsOfTest = Partial<DnsQuestion & QueryOptions> &
  Pick<TestRunOptions, 'hosts' | 'rules' | 'trust' | 'signal' | 'resolve'>;

/** Queries servers for the address of www.example.test. */
export const queryServersAt = async (
  servers: readonly string[],
  given: QueryOptionsOfTest = {},
): Promise<AnsweredQuery | UnansweredQuery> => {
  const {
    name = 'www.example.test',
    type = 'A',
    timeLimit = 20_000,
    recursion,
    dnssec,
    checkingDisabled,
    ...rest
  } = given;
  const options = {
    timeLimit,
    ...(recursion !== undefined && { recursion }),
    ...(dnssec !== undefined && { dnssec }),
    ...(checkingDisabled !== undefined && { checkingDisabled }),
  };
  return queryServers({ name, type }, serversOfCheck(servers), options, contextOf(rest));
};

/** Returns the response to a query that must succeed. */
export const answered = async (servers: readonly string[], given?: QueryOptionsOfTest): Promise<AnsweredQuery> => {
  const found = await queryServersAt(servers, given);
  if (!found.answered) throw new Error(found.failures.map(({ sentence }) => sentence).join(' '));
  return found;
};

/** Returns why a query failed: the reason and the error message of each server, with `:port` instead of the port. */
export const refused = async (servers: readonly string[], given?: QueryOptionsOfTest): Promise<[string, string][]> => {
  const found = await queryServersAt(servers, given);
  if (found.answered) throw new Error(`There is an answer: ${JSON.stringify(found.message)}`);
  return found.failures.map(({ reason, sentence }) => [reason, sentence.replaceAll(/(?<=[\d\]]):\d+/g, ':port')]);
};
