import type { DnsMetadata } from '../../../domain/check/types/dns.ts';
import { table } from '../../../service/output.ts';
import type { Report } from './report.ts';

/** Formats a dns run for a terminal: the question, the aliases, the answers and how they differ, and the server. */
export const dnsReport: Report = ({ status, error_message, response_time, check_metadata }) => {
  const metadata = check_metadata as DnsMetadata;
  return [
    error_message === null ? status : `${status}: ${error_message}`,
    '',
    `${metadata.query_name ?? metadata.domain} ${metadata.record_type}`,
    ...metadata.cname_chain.map(({ name, type, target }) => `  ${name} is an alias of ${target} (${type})`),
    ...answersOf(metadata),
    '',
    ...table(['', ''], factsOf(metadata, response_time)).slice(1),
  ];
};

/** Lists the answers. As in a diff, `+` marks unexpected answers and `-` missing ones. */
const answersOf = ({
  answers,
  missing_answers = [],
  unexpected_answers = [],
  validation_mode,
}: DnsMetadata): string[] => {
  const surplus = new Set(validation_mode === 'exact' ? unexpected_answers : []);
  return [
    ...answers.map((answer) => (surplus.has(answer) ? `+ ${answer}  (unexpected)` : `  ${answer}`)),
    ...missing_answers.map((answer) => `- ${answer}  (missing)`),
  ];
};

const factsOf = (metadata: DnsMetadata, responseTime: number | null): string[][] => {
  const { answered_by, transport, rcode, ttl, authenticated_data: authenticated, validation_failed } = metadata;
  const whois = metadata.whois_info;
  const facts: [string, string | null | undefined][] = [
    ['server', answered_by && `${answered_by}, over ${transport ?? ''}`],
    ['asked', answered_by === null && metadata.query_name !== null ? metadata.dns_servers_used : null],
    ['answer', rcode && `${rcode}${responseTime === null ? '' : ` after ${responseTime} ms`}`],
    ['TTL', ttl === null ? null : `${ttl} s`],
    [
      'DNSSEC',
      authenticated === null ? null : validation_failed ? 'failed' : authenticated ? 'validated' : 'not validated',
    ],
    ['name servers', metadata.authoritative_nameservers.join(' ')],
    ['registrar', whois?.registrar],
    ['registered', whois?.creation_date],
    ['expires', whois?.expiration_date],
    ['domain status', whois?.status.join(' ')],
    ['registration', metadata.whois_error],
    ['truncated', metadata.truncated === true ? 'long lists and texts were truncated' : null],
  ];
  return facts.flatMap(([name, fact]) => (fact === null || fact === undefined || fact === '' ? [] : [[name, fact]]));
};
