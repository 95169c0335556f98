import { isIP } from 'node:net';
import { isHarmless } from '../../domain/check/harmless-headers.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import type { TargetPolicy, TargetPolicyName } from '../../domain/target/policy.ts';
import { isFieldName, isFieldValue, isConnectionField } from '../../network/header-fields.ts';
import { httpTarget } from '../../network/http-target.ts';
import type { NotifierSettings, SettingsErrors } from '../notifier.ts';
import { decodeKey } from './signature.ts';
import { bodyTemplateProblem, urlTemplateProblem } from './template.ts';

/** The settings of a webhook. */
export interface WebhookSettings {
  /** a URL with https, or with http if the policy is `internal` */
  url: string;
  /** default: POST; the content of a GET request is sent in the query (post.ts) */
  method?: (typeof METHODS)[number];
  headers?: Readonly<Record<string, string>>;
  /** `whsec_…`: secret with which messages are signed */
  secret?: string;
  /** the previous secret; messages are signed with both secrets while receivers switch to the new secret */
  former_secret?: string;
  /**
   * a template for the body (template.ts); null: the documented body. If the field is present, the URL may contain
   * placeholders too. Absent: the URL was entered by a subscriber, and is used unchanged
   */
  template?: string | null;
}

/** The policy for the URLs of webhooks, and the name of this policy. */
export interface WebhookRules {
  policyName: TargetPolicyName;
  policy: TargetPolicy;
}

const METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const;
const LONGEST_URL = 2_048;
const MOST_HEADERS = 20;
const LONGEST_VALUE = 4_096;
/** Headers that only the notifier itself sets. */
const OWN_HEADERS = /^(webhook-.*|content-encoding)$/i;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
/** RFC 9110, 5.6.6 */
const PARAMETER = `[ \\t]*;[ \\t]*(${TOKEN})=(${TOKEN}|"[^"\\\\]*")`;
/** Matches the media types of JSON (RFC 8259, 11, and RFC 6839, 3.1), with parameters. */
const JSON_TYPE = new RegExp(
  `^(?:application/json|application/${TOKEN}\\+json|text/json)((?:${PARAMETER})*)[ \\t]*$`,
  'i',
);

/** Validates settings. Returns error messages by field. */
export const validateSettings = (settings: NotifierSettings, rules: WebhookRules): SettingsErrors => {
  const { url, method, headers, secret, former_secret, template } = settings;
  const problems: [field: string, sentence: string | null][] = [
    ['url', urlProblem(url, rules) ?? (template === undefined ? null : urlTemplateProblem(url as string))],
    ['method', isMethod(method) ? null : `Must be one of: ${METHODS.join(', ')}.`],
    ...headerProblems(headers),
    ['secret', secretProblem(secret)],
    ['former_secret', secretProblem(former_secret)],
    ['template', typeof template === 'string' ? bodyTemplateProblem(template) : null],
  ];
  return Object.fromEntries(problems.flatMap(([field, sentence]) => (sentence === null ? [] : [[field, [sentence]]])));
};

/** Casts settings that have been validated. */
export const readSettings = (settings: NotifierSettings): WebhookSettings => settings as unknown as WebhookSettings;

/** Masks the secrets in settings. With these secrets, a reader could impersonate the owner of the webhook. */
export const maskedSettings = (settings: NotifierSettings): NotifierSettings => {
  const { headers, secret, former_secret, template } = readSettings(settings);
  return {
    ...settings,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, isHarmless(name) ? value : MASKED_TEXT]),
      ),
    }),
    ...(secret !== undefined && { secret: MASKED_TEXT }),
    ...(former_secret !== undefined && { former_secret: MASKED_TEXT }),
    ...(typeof template === 'string' && { template: MASKED_TEXT }),
  };
};

/** Checks a URL that a customer has entered. Returns an error message, or null if the URL is valid. */
export const urlProblem = (text: unknown, { policyName, policy }: WebhookRules): string | null => {
  if (typeof text !== 'string' || text.length > LONGEST_URL || !URL.canParse(text)) {
    return `Must be a URL of at most ${LONGEST_URL} characters.`;
  }
  const url = new URL(text);
  const { protocol, username, password } = url;
  if (protocol !== 'https:' && !(protocol === 'http:' && policyName === 'internal')) {
    return policyName === 'internal' ? 'Must begin with https:// or http://.' : 'Must begin with https://.';
  }
  if (username !== '' || password !== '') return 'Must not have a user name or a password; send them as a header.';
  const { host, port } = httpTarget(url);
  const refusal = isIP(host) === 0 ? null : policy.refusal(host, port);
  return refusal === null ? null : `The policy for webhooks does not allow ${host} (${refusal}).`;
};

const isMethod = (method: unknown): boolean =>
  method === undefined || METHODS.some((candidate) => candidate === method);

const headerProblems = (headers: unknown): [string, string][] => {
  if (headers === undefined) return [];
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    return [['headers', 'Must be an object of names and values.']];
  }
  const entries = Object.entries(headers as Record<string, unknown>);
  if (entries.length > MOST_HEADERS) return [['headers', `Must not have more than ${MOST_HEADERS} headers.`]];
  return entries.flatMap(([name, value]): [string, string][] => {
    const problem = headerProblem(name, value);
    return problem === null ? [] : [[`headers.${name}`, problem]];
  });
};

const headerProblem = (name: string, value: unknown): string | null => {
  if (!isFieldName(name)) return 'Is not the name of a header.';
  if (OWN_HEADERS.test(name) || isConnectionField(name)) return 'Is set by the service.';
  if (typeof value !== 'string' || value.length > LONGEST_VALUE || (value !== '' && !isFieldValue(value))) {
    return `Must be a text of at most ${LONGEST_VALUE} visible ASCII characters.`;
  }
  return name.toLowerCase() === 'content-type' ? contentTypeProblem(value) : null;
};

/** Checks a content type. Bodies are JSON in UTF-8, so only JSON types are valid. */
const contentTypeProblem = (value: string): string | null => {
  const [, parameters] = JSON_TYPE.exec(value) ?? [];
  if (parameters === undefined) {
    return 'Must be a type of JSON: application/json, application/…+json or text/json, such as application/json; charset=utf-8.';
  }
  const charsets = [...parameters.matchAll(new RegExp(PARAMETER, 'g'))]
    .filter(([, name = '']) => name.toLowerCase() === 'charset')
    .map(([, , charset = '']) => charset.replaceAll('"', '').toLowerCase());
  return charsets.every((charset) => charset === 'utf-8') ? null : 'Its charset must be utf-8.';
};

const secretProblem = (secret: unknown): string | null =>
  secret === undefined || (typeof secret === 'string' && decodeKey(secret) !== null)
    ? null
    : 'Must be whsec_ and 24 to 64 bytes in base64.';
