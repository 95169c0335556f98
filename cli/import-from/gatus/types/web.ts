import { flagIn, textIn, textsByNameIn } from '../../mapping/fields.ts';
import { hostOfUrl, splitUrl } from '../../mapping/target.ts';
import { HTTP_METHODS } from '../../../../domain/check/types/web.ts';
import { statusCodesOf } from '../status-codes.ts';
import type { Condition } from '../conditions.ts';
import { bodyText } from './body-text.ts';
import { commonConditions, type CommonConditions } from './common-conditions.ts';
import { headerAssertions } from './header-assertions.ts';
import { jsonAssertions } from './json-assertions.ts';
import { noteCondition, type Endpoint, type Monitored } from './monitored.ts';

const DAY = 86_400_000;
const MAX_DAYS = 3_650;
const MAX_RESPONSE_TIME = 120_000;

/** Converts an endpoint with an http or https address to a web check. */
export const webEndpoint = (endpoint: Endpoint): Monitored => {
  const { url, username, password } = splitUrl(endpoint.url);
  const common = commonConditions(endpoint, hostOfUrl(url));
  const request: Record<string, unknown> = {
    ...requestOf(endpoint),
    ...(username !== undefined && { username, password }),
  };
  const isHead = request['method'] === 'HEAD';
  const ofBody = common.rest.filter(({ subject }) => subject === 'BODY');
  if (isHead) for (const condition of ofBody) noteCondition(endpoint, condition, 'a response to HEAD has no body.');
  const conditions = isHead ? common.rest.filter(({ subject }) => subject !== 'BODY') : common.rest;
  const { search_text, ...searched } = bodyText(endpoint, conditions);
  const assertions = {
    ...statusAssertion(endpoint, conditions),
    ...searched,
    ...limits(endpoint, url, common),
    ...jsonAssertions(endpoint, conditions),
    ...headerAssertions(endpoint, conditions),
  };
  noteOthers(endpoint, conditions);
  const parameters = {
    ...(Object.keys(request).length > 0 && { http_request: request }),
    ...(search_text !== undefined && { search_text }),
    ...(flagIn(endpoint.client, 'ignore-redirect') === true && { follow_redirects: false }),
    assertions,
  };
  return { main: { type: 'web', url, parameters }, additional: common.additional, slowAfter: null };
};

const requestOf = (endpoint: Endpoint): Record<string, unknown> => {
  const { section, note, name } = endpoint;
  const method = (textIn(section, 'method') ?? 'GET').toUpperCase();
  const headers = textsByNameIn(section, 'headers');
  let body = textIn(section, 'body');
  if (body !== undefined) {
    if (/\[RANDOM_STRING_\d+\]/.test(body))
      note('sends a random text in its body, which has no equivalent; a multistep check can send one.');
    body = body
      .replaceAll('[ENDPOINT_NAME]', name)
      .replaceAll('[ENDPOINT_GROUP]', textIn(section, 'group') ?? '')
      .replaceAll('[ENDPOINT_URL]', endpoint.url);
  }
  if (flagIn(section, 'graphql') === true) {
    body = JSON.stringify({ query: body ?? '' });
    if (!Object.keys(headers).some((header) => header.toLowerCase() === 'content-type'))
      headers['Content-Type'] = 'application/json';
  }
  const isKnown = HTTP_METHODS.some((one) => one === method);
  if (!isKnown) note(`sends the method ${method}, which has no equivalent; GET is sent instead.`);
  return {
    ...(method !== 'GET' && isKnown && { method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body !== undefined && body !== '' && { body }),
  };
};

const statusAssertion = (endpoint: Endpoint, conditions: readonly Condition[]): object => {
  const ofStatus = conditions.filter(({ subject, call, path }) => subject === 'STATUS' && call === null && path === '');
  const status_codes = statusCodesOf(ofStatus);
  if (status_codes) return { status_codes };
  for (const condition of ofStatus)
    noteCondition(endpoint, condition, 'together with the others it accepts no status code.');
  return {};
};

const limits = (endpoint: Endpoint, url: string, { slowAfter, certificate }: CommonConditions): object => {
  const hasCertificate = certificate !== null && !/^http:/i.test(url);
  if (certificate !== null && !hasCertificate)
    endpoint.note('has a condition on the certificate, but its http address has none; use an https address.');
  return {
    ...(slowAfter !== null && { max_response_time: Math.min(slowAfter, MAX_RESPONSE_TIME) }),
    ...(hasCertificate && { min_certificate_days: Math.min(MAX_DAYS, Math.max(0, Math.ceil(certificate / DAY))) }),
  };
};

const noteOthers = (endpoint: Endpoint, conditions: readonly Condition[]): void => {
  for (const condition of conditions) {
    const { subject, call, path } = condition;
    const isStatus = subject === 'STATUS' && call === null && path === '';
    if (!isStatus && subject !== 'BODY' && subject !== 'HEADER')
      noteCondition(endpoint, condition, 'a multistep check can test it in a script.');
  }
};
