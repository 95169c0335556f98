import { isFullStopOrBlank, trimmedEnd } from '../../domain/text.ts';
import { ProbeFailure, quoted } from '../engine/probe-failure.ts';
import type { NameServerFailure } from '../../network/dns/query-outcome.ts';
import type { ExtendedError } from '../../network/dns/message.ts';
import type { Difference } from './expectations.ts';
import type { DnsFinding } from './finding.ts';
import { referralOf, zoneStartOf } from './zone.ts';

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** Shortens a name for a sentence. */
const shown = (name: string, length = 40): string => (name === '.' ? 'the root' : cut(name.replace(/\.$/, ''), length));
/** Formats the name that a sentence is about. 75 characters are enough for the reverse name of any address. */
const subject = (name: string): string => shown(name, 75);

/** Maximum length in characters: people do not read longer sentences to the end. */
const MAX_SENTENCE = 400;

/** Lists at most two elements, to keep the sentence short: `one, another and 3 more`. */
const some = (texts: readonly string[]): string => {
  const named = texts.slice(0, 2);
  const more = texts.length - named.length;
  if (more > 0) named.push(`${more} more`);
  const last = named.pop() ?? '';
  return named.length === 0 ? last : `${named.join(', ')} and ${last}`;
};

/** The Extended DNS Error Codes (IANA registry) that help the owner of a domain, as words for sentences. */
const EXTENDED: Readonly<Record<number, string>> = {
  6: 'DNSSEC bogus',
  7: 'signature expired',
  8: 'signature not yet valid',
  9: 'DNSKEY missing',
  10: 'RRSIGs missing',
  11: 'no zone key bit set',
  12: 'NSEC missing',
  15: 'blocked',
  16: 'censored',
  17: 'filtered',
  18: 'prohibited',
  20: 'not authoritative',
  22: 'no reachable authority',
  23: 'network error',
};

/** Returns a sentence with the reason that the server states: ` The server's reason: signature expired.` */
const reasonGiven = (errors: readonly ExtendedError[]): string => {
  const [reason] = errors
    .map(({ code, text }) => [EXTENDED[code] ?? '', cut(trimmedEnd(text, isFullStopOrBlank), 40)])
    .map((words) => words.filter((word) => word !== '').join(': '))
    .filter((words) => words !== '');
  return reason === undefined ? '' : ` The server's reason: ${reason}.`;
};

/** Returns the end of a sentence about an alias's target: the name of the alias; empty if the name has no alias. */
const aliasNote = ({ queriedName, name }: Pick<DnsFinding, 'queriedName' | 'name'>): string =>
  queriedName === name ? '' : `; ${shown(queriedName)} is an alias of it`;

const failed = (words: string, finding: DnsFinding): ProbeFailure => {
  const sentence = `${words}${aliasNote(finding)}.`;
  const reason = reasonGiven(finding.response.message.extendedErrors);
  const fits = sentence.length + reason.length <= MAX_SENTENCE;
  return new ProbeFailure('failed', 'answer', fits ? sentence + reason : sentence);
};

/** Returns the failure of a look-up that found no records of the requested type. */
export const noAnswers = (finding: DnsFinding): ProbeFailure => failed(whyNoAnswers(finding), finding);

const whyNoAnswers = (finding: DnsFinding): string => {
  const { response, type } = finding;
  const { peer, message } = response;
  const name = subject(finding.name);
  switch (message.rcode) {
    case 'NOERROR':
      return whyEmpty(finding);
    case 'NXDOMAIN': {
      const zone = zoneStartOf(message, finding.name);
      const where = zone === undefined ? '' : zone === '.' ? ' in the root zone' : ` in the zone ${shown(zone)}`;
      return `${name} does not exist${where} (NXDOMAIN from ${peer})`;
    }
    case 'SERVFAIL':
      return `${peer} failed to look up the ${type} records of ${name} (SERVFAIL)`;
    case 'REFUSED':
      return `${peer} refuses to answer for ${name} (REFUSED): it has no such zone, or does not serve this runner`;
    default:
      return `${peer} answers ${message.rcode} when asked for the ${type} records of ${name}`;
  }
};

/**
 * Explains an empty response. If the server returns a referral, or neither serves the zone nor offers recursion, the
 * explanation says that the server is the wrong one for the query.
 */
const whyEmpty = ({ response, name, type }: DnsFinding): string => {
  const { peer, message } = response;
  const referral = referralOf(message);
  const lame = `${peer} does not answer for ${subject(name)}: it neither serves the zone nor offers recursion`;
  if (referral)
    return `${lame}, and refers to ${some(referral.servers.map((server) => shown(server)))} for ${shown(referral.zone)}`;
  if (!message.authoritative && !message.recursionAvailable) return lame;
  return `${subject(name)} exists but has no ${type} records, according to ${peer}`;
};

/** Returns the failure of a server that withholds its answer because DNSSEC validation fails. */
export const validationFailed = (finding: DnsFinding): ProbeFailure =>
  failed(
    `DNSSEC validation of ${subject(finding.name)} fails at ${finding.response.peer} (SERVFAIL, but an answer without ` +
      "validation): check the zone's signatures and the DS records in its parent zone",
    finding,
  );

/** Returns the failure of a name with too many aliases, or with aliases that form a loop. */
export const endlessAliases = ({ queriedName, aliases, response }: DnsFinding): ProbeFailure => {
  const steps = aliases.map(({ name, target }) => `${shown(name)} → ${shown(target)}`);
  const sentence = `The aliases of ${shown(queriedName)} lead nowhere: ${some(steps)}, according to ${response.peer}.`;
  return new ProbeFailure('failed', 'answer', sentence);
};

/**
 * Returns the failure of a query that no server answered. Its status is `failed` rather than `down` if the policy
 * refused all servers.
 */
export const unanswered = (
  failures: readonly NameServerFailure[],
  { queriedName, name }: Pick<DnsFinding, 'queriedName' | 'name'>,
): ProbeFailure => {
  const reasons = failures.map(({ reason }) => reason);
  const reason = reasons.includes('timeout') ? 'timeout' : (reasons.find((one) => one !== 'target') ?? 'target');
  const length = failures.length === 1 ? 220 : 110;
  const sentences = failures
    .slice(0, 2)
    .map(({ sentence }) => (sentence.length > length ? `${cut(sentence, length)}.` : sentence));
  const more = failures.length - sentences.length;
  if (more > 0) sentences.push(`${more} more ${more === 1 ? 'server' : 'servers'} gave no answer.`);
  if (queriedName !== name) sentences.push(`The question was for ${shown(name)}${aliasNote({ queriedName, name })}.`);
  return new ProbeFailure(reason === 'target' ? 'failed' : 'down', reason, sentences.join(' '));
};

/** Formats answers for a sentence. Replaces control characters and line breaks by spaces. */
const listed = (texts: readonly string[]): string =>
  some(texts.map((text) => quoted(cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), 40))));

/** Returns the failure of answers that differ from the expected ones. */
export const different = (
  { queriedName, type, answers }: DnsFinding,
  { missing, unexpected }: Difference,
  exact: boolean,
): ProbeFailure => {
  const parts = [
    ...(missing.length > 0 ? [`missing ${listed(missing)}`] : []),
    ...(exact && unexpected.length > 0 ? [`unexpected ${listed(unexpected)}`] : []),
    ...(!exact ? [`found ${listed(answers)}`] : []),
  ];
  return new ProbeFailure(
    'failed',
    'answer',
    `The ${type} records of ${subject(queriedName)} are not as expected: ${parts.join('; ')}.`,
  );
};

/** Adds the expiry of the domain's registration to a failure, because an expired registration may be the cause. */
export const alsoExpired = (failure: ProbeFailure, expiry: ProbeFailure): ProbeFailure => {
  const sentence = `${failure.message} ${expiry.message}`;
  return sentence.length > MAX_SENTENCE ? failure : new ProbeFailure(failure.status, failure.reason, sentence);
};
