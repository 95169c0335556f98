import { isIP } from 'node:net';
import { RECORD_TYPES } from '../../../../domain/check/types/dns.ts';
import { flagIn, mappingIn, requiredTextIn, textIn, textsIn } from '../../mapping/fields.ts';
import type { Mapping } from '../../read-yaml.ts';
import type { Probe, Probed } from '../module.ts';
import { fixedTextOf } from '../regular-expression.ts';

/** Converts a target of the dns prober, which is a name server, to a dns check of the name that the module queries. */
export const dnsProbe = ({ settings, target, note }: Probe): Probed => {
  const host = requiredTextIn(settings, 'query_name').replace(/\.$/, '');
  const wanted = (textIn(settings, 'query_type') ?? 'ANY').toUpperCase();
  const type = RECORD_TYPES.find((one) => one === wanted);
  if (type === undefined) note(`queries records of the type ${wanted}, which dns checks do not; A is queried instead.`);
  const codes = textsIn(settings, 'valid_rcodes');
  if (codes.some((code) => code !== 'NOERROR'))
    note('accepts other codes than NOERROR; a dns check requires answers, and so NOERROR.');
  if (textIn(settings, 'transport_protocol') === 'tcp')
    note('queries over TCP; dns checks use UDP, and TCP for long answers. A server tls://… is queried over TLS.');
  for (const section of ['validate_authority_rrs', 'validate_additional_rrs'])
    if (mappingIn(settings, section))
      note(`judges records of another section (${section}); dns checks judge answers only.`);
  const expected = expectedAnswers(mappingIn(settings, 'validate_answer_rrs') ?? {}, note);
  const server = isIP(target) === 6 ? `[${target}]` : target;
  const parameters = {
    ...(type !== undefined && type !== 'A' && { record_type: type }),
    dns_servers: [flagIn(settings, 'dns_over_tls') === true ? `tls://${server}` : server],
    ...(expected.length > 0 && { expected_answers: expected }),
  };
  return { type: 'dns', host, parameters };
};

/** Converts expressions that an answer must match, if they name an address. */
const expectedAnswers = (rules: Mapping, note: (rest: string) => void): string[] => {
  const required = [...textsIn(rules, 'fail_if_none_matches_regexp'), ...textsIn(rules, 'fail_if_not_matches_regexp')];
  const forbidden = [...textsIn(rules, 'fail_if_matches_regexp'), ...textsIn(rules, 'fail_if_all_match_regexp')];
  for (const expression of forbidden)
    note(`forbids answers that match "${expression}"; use expected_answers with exact.`);
  return required.flatMap((expression) => {
    // Unescaped dots of an address in an expression mean dots.
    const address = expression.replace(/^\^?(?:\.\*)?|(?:\.\*)?\$?$/g, '').replaceAll('\\.', '.');
    const text = isIP(address) === 0 ? (fixedTextOf(expression)?.text.trim() ?? '') : address;
    if (isIP(text) !== 0) return text;
    note(`requires answers that match "${expression}"; a dns check can require whole answers (expected_answers).`);
    return [];
  });
};
