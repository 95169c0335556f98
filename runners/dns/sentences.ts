import { ProbeFailure, quoted } from '../probe/failure.ts';
import type { Failure } from './client/answer.ts';
import type { ExtendedError } from './client/message.ts';
import type { Difference } from './expectations.ts';
import type { Finding } from './finding.ts';
import { referralOf, startOf } from './zone.ts';

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

/** A name in a sentence. */
const shown = (name: string): string => (name === '.' ? 'the root' : cut(name.replace(/\.$/, ''), 60));

/** The first few of a list, so that a sentence stays one. */
const some = (texts: readonly string[], most: number): string => {
  const [last, ...others] = texts.slice(0, most).reverse();
  const more = texts.length - most;
  if (more > 0) return `${texts.slice(0, most).join(', ')} and ${more.toString()} more`;
  return others.length === 0 ? (last ?? '') : `${others.reverse().join(', ')} and ${last ?? ''}`;
};

/** Reasons that resolvers give (IANA: Extended DNS Error Codes), those that tell an owner something. */
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

/** ` The server's reason: signature expired.` */
const reasonGiven = (errors: readonly ExtendedError[]): string => {
  const [reason] = errors
    .map(({ code, text }) => [EXTENDED[code] ?? '', cut(text.replace(/[.\s]+$/, ''), 40)])
    .map((words) => words.filter((word) => word !== '').join(': '))
    .filter((words) => words !== '');
  return reason === undefined ? '' : ` The server's reason: ${reason}.`;
};

/** Says of the name that a sentence is about how the check came to it. */
const aliasNote = ({ asked, name }: Pick<Finding, 'asked' | 'name'>): string =>
  asked === name ? '' : `; ${shown(asked)} is an alias of it`;

const failed = (words: string, finding: Finding): ProbeFailure =>
  new ProbeFailure(
    'failed',
    'answer',
    `${words}${aliasNote(finding)}.${reasonGiven(finding.answered.message.extendedErrors)}`,
  );

/** There are no records of the type. */
export const noAnswers = (finding: Finding): ProbeFailure => failed(whyNoAnswers(finding), finding);

const whyNoAnswers = (finding: Finding): string => {
  const { answered, type } = finding;
  const { peer, message } = answered;
  const name = shown(finding.name);
  switch (message.rcode) {
    case 'NOERROR':
      return whyEmpty(finding);
    case 'NXDOMAIN': {
      const zone = startOf(message, finding.name);
      const where = zone === undefined ? '' : zone === '.' ? ' in the root zone' : ` in the zone ${shown(zone)}`;
      return `${name} does not exist${where} (NXDOMAIN, says ${peer})`;
    }
    case 'SERVFAIL':
      return `${peer} can't find out the ${type} records of ${name} (SERVFAIL)`;
    case 'REFUSED':
      return `${peer} refuses to answer for ${name} (REFUSED): it has no such zone, or does not serve this runner`;
    default:
      return `${peer} answers ${message.rcode} when asked for the ${type} records of ${name}`;
  }
};

/** A referral, or nothing from a server that neither has the zone nor asks others, says that it is the wrong one. */
const whyEmpty = ({ answered, name, type }: Finding): string => {
  const { peer, message } = answered;
  const referral = referralOf(message);
  const lame = `${peer} does not answer for ${shown(name)}: it neither has the zone nor asks others`;
  if (referral) return `${lame}, and refers to ${some(referral.servers.map(shown), 2)} for ${shown(referral.zone)}`;
  if (!message.authoritative && !message.recursionAvailable) return lame;
  return `${shown(name)} exists but has no ${type} records, says ${peer}`;
};

/** The server has an answer that it does not give because its validation fails. */
export const validationFailed = (finding: Finding): ProbeFailure =>
  failed(
    `DNSSEC validation of ${shown(finding.name)} fails at ${finding.answered.peer} (SERVFAIL, but an answer without ` +
      "validation): look at the zone's signatures and at the DS records in the zone above it",
    finding,
  );

/** The aliases of a name lead in a circle, or too far. */
export const endlessAliases = ({ asked, aliases, answered }: Finding): ProbeFailure =>
  new ProbeFailure(
    'failed',
    'answer',
    `The aliases of ${shown(asked)} lead nowhere: ${some(
      aliases.map(({ name, target }) => `${shown(name)} → ${shown(target)}`),
      2,
    )}, says ${answered.peer}.`,
  );

/** No server gave an answer. What the policy refuses is no answer that the target failed to give. */
export const unanswered = (
  failures: readonly Failure[],
  { asked, name }: Pick<Finding, 'asked' | 'name'>,
): ProbeFailure => {
  const reasons = failures.map(({ reason }) => reason);
  const reason = reasons.includes('timeout') ? 'timeout' : (reasons.find((one) => one !== 'target') ?? 'target');
  const sentences = failures.slice(0, 2).map(({ sentence }) => cut(sentence, 140));
  const more = failures.length - sentences.length;
  if (more > 0) sentences.push(`${more.toString()} more ${more === 1 ? 'server gives' : 'servers give'} no answer.`);
  if (asked !== name) sentences.push(`The question was for ${shown(name)}${aliasNote({ asked, name })}.`);
  return new ProbeFailure(reason === 'target' ? 'failed' : 'down', reason, sentences.join(' '));
};

const listed = (texts: readonly string[]): string =>
  some(
    texts.map((text) => quoted(cut(text, 40))),
    2,
  );

/** The answers are not the expected ones. */
export const different = (
  { asked, type, answers }: Finding,
  { missing, unexpected }: Difference,
  exact: boolean,
): ProbeFailure => {
  const parts = [
    ...(missing.length > 0 ? [`missing ${listed(missing)}`] : []),
    ...(exact && unexpected.length > 0 ? [`not expected ${listed(unexpected)}`] : []),
    ...(!exact ? [`there ${answers.length === 1 ? 'is' : 'are'} ${listed(answers)}`] : []),
  ];
  return new ProbeFailure(
    'failed',
    'answer',
    `The ${type} records of ${shown(asked)} are not as expected: ${parts.join('; ')}.`,
  );
};
