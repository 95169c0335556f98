import { flagIn, integerIn, mappingIn, textIn, textsIn } from '../../mapping/fields.ts';
import { splitUrl } from '../../mapping/target.ts';
import { HTTP_METHODS } from '../../../../domain/check/types/web.ts';
import type { Mapping } from '../../read-yaml.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { placeOf } from '../../read-yaml.ts';
import type { Probe, Probed } from '../module.ts';
import { bodyTexts } from './http-body.ts';
import { headerAssertions } from './http-header-assertions.ts';
import { requestHeaders } from './http-request-headers.ts';
import { tlsSettings } from './tls.ts';

/** Settings without an equivalent, each with the rest of a sentence about the module. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  valid_http_versions: 'requires a version of HTTP, which checks show but do not judge.',
  fail_if_ssl: 'fails with TLS; checks show whether TLS was used, but do not judge it.',
  fail_if_body_json_matches_cel: 'judges the body by CEL; use assertions on JSON instead.',
  fail_if_body_json_not_matches_cel: 'judges the body by CEL; use assertions on JSON instead.',
  body_file: 'sends the contents of a file (body_file); copy them to the body of the checks.',
  oauth2: 'gets a token by OAuth 2, which a check cannot; a multistep check can get the token in its script.',
  proxy_url: 'uses a proxy, which a check cannot; a remote runner in that network can run the checks.',
  body_size_limit: 'limits the size of the body; checks read up to 10 MiB.',
};

/** Converts a target of the http prober to a web check. */
export const httpProbe = (probe: Probe): Probed => {
  const { settings, note } = probe;
  const address = /^https?:\/\//i.test(probe.target) ? probe.target : `http://${probe.target}`;
  const { url, username, password } = splitUrl(address);
  for (const [key, sentence] of Object.entries(UNSUPPORTED))
    if (settings[key] !== undefined && settings[key] !== null && settings[key] !== 'false') note(sentence);
  if (flagIn(settings, 'fail_if_not_ssl') === true && /^http:/i.test(url))
    probe.noteTarget('must end in https; its check does not require that. Use the https address.');
  const tls = tlsSettings(mappingIn(settings, 'tls_config') ?? {}, note);
  if (tls.server_name !== null)
    note('sets the name of the server for TLS; web checks use the host of the URL. A tcp check has tls.server_name.');
  const request: Record<string, unknown> = {
    ...requestOf(probe),
    ...credentialsOf(settings, note),
    ...(username !== undefined && username !== '' && { username, password }),
  };
  const isHead = request['method'] === 'HEAD';
  const { search_text, search_text_absent } = bodyTexts(settings, isHead, note);
  const parameters = {
    ...(Object.keys(request).length > 0 && { http_request: request }),
    ...(search_text !== undefined && { search_text }),
    ...(!followsRedirects(settings) && { follow_redirects: false }),
    ...(tls.ca_certificate !== undefined && { ca_certificate: tls.ca_certificate }),
    assertions: {
      status_codes: statusCodes(settings),
      ...(search_text_absent !== undefined && { search_text_absent }),
      ...headerAssertions(settings, note),
    },
  };
  return { type: 'web', url, parameters };
};

const requestOf = ({ settings, hostname, note }: Probe): Record<string, unknown> => {
  const method = (textIn(settings, 'method') ?? 'GET').toUpperCase();
  const isKnown = HTTP_METHODS.some((one) => one === method);
  if (!isKnown) note(`sends the method ${method}, which has no equivalent; GET is sent instead.`);
  const headers = requestHeaders(settings, note);
  if (hostname !== null) headers['Host'] = hostname;
  const body = textIn(settings, 'body');
  return {
    ...(isKnown && method !== 'GET' && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && body !== '' && { body }),
  };
};

const credentialsOf = (settings: Mapping, note: (rest: string) => void): Record<string, unknown> => {
  const basic = mappingIn(settings, 'basic_auth');
  if (!basic) return {};
  if (basic['password_file'] !== undefined || basic['username_file'] !== undefined)
    note('reads credentials from a file; copy them to username and password of the checks.');
  return { username: textIn(basic, 'username') ?? '', password: textIn(basic, 'password') ?? '' };
};

const followsRedirects = (settings: Mapping): boolean =>
  flagIn(settings, 'follow_redirects') ?? !(flagIn(settings, 'no_follow_redirects') ?? false);

const statusCodes = (settings: Mapping): (number | string)[] => {
  const codes = textsIn(settings, 'valid_status_codes').map((text, index) => {
    const list = settings['valid_status_codes'] as object;
    const code = integerIn({ code: text }, 'code') ?? 0;
    if (code >= 100 && code <= 599) return code;
    throw new OperatorError(`${placeOf(list, index)}: ${text} is not a status code.`);
  });
  return codes.length === 0 ? ['200-299'] : codes;
};
