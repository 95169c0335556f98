import type { Answered, Unanswered } from '../../../network/dns/query-outcome.ts';
import { ask, type AskOptions } from '../../../network/dns/query-servers.ts';
import type { Question } from '../../../network/dns/message.ts';
import { listedServers } from '../../../network/dns/servers.ts';
import { contextOf, type Probing } from '../../probes/run-context.ts';

/** Overrides of the default query. */
export type Asking = Partial<Question & AskOptions> & Pick<Probing, 'hosts' | 'rules' | 'trust' | 'signal' | 'resolve'>;

/** Queries the address of www.example.test. */
export const asking = async (servers: readonly string[], given: Asking = {}): Promise<Answered | Unanswered> => {
  const {
    name = 'www.example.test',
    type = 'A',
    within = 20_000,
    recursion,
    dnssec,
    checkingDisabled,
    ...rest
  } = given;
  const options = {
    within,
    ...(recursion !== undefined && { recursion }),
    ...(dnssec !== undefined && { dnssec }),
    ...(checkingDisabled !== undefined && { checkingDisabled }),
  };
  return ask({ name, type }, listedServers(servers), options, contextOf(rest));
};

/** The response to a query that must succeed. */
export const answered = async (servers: readonly string[], given?: Asking): Promise<Answered> => {
  const found = await asking(servers, given);
  if (!found.answered) throw new Error(found.failures.map(({ sentence }) => sentence).join(' '));
  return found;
};

/** Why a query failed: a reason and a sentence per server, with `:port` in place of the port. */
export const refused = async (servers: readonly string[], given?: Asking): Promise<[string, string][]> => {
  const found = await asking(servers, given);
  if (found.answered) throw new Error(`There is an answer: ${JSON.stringify(found.message)}`);
  return found.failures.map(({ reason, sentence }) => [reason, sentence.replaceAll(/(?<=[\d\]]):\d+/g, ':port')]);
};
