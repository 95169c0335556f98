import { Type } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import { webhookOrigin } from '../../domain/alert-channel/masked-webhook.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { defineChannelType } from '../channels/channel-type.ts';
import {
  FOR_EDITORS,
  MASKED_DESCRIPTION,
  nullableText,
  oneOf,
  OTHER_HOST,
  SECRET,
  readText,
  URL_FOR_EDITORS,
  readUrl,
} from '../channels/fields.ts';
import { webhookRateLimitTarget } from './rate-limit-target.ts';

/**
 * HTTP methods of a webhook. A GET request has no body, so the message is in the query
 * (docs/reference/alert-channels.md#get).
 */
const METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const;

const LONGEST_TEMPLATE = 32_768;

/** Sends an HTTP request to a customer's program. */
export const webhook = defineChannelType({
  name: 'webhook',
  delivers: 'a request ([below](#webhooks))',
  configuration: Type.Object(
    {
      url: Type.String({
        description:
          'may have placeholders if there is a `body_template`; viewers see `https://hooks.example.com/***`, and sending it back keeps the stored URL',
      }),
      method: oneOf(METHODS),
      headers: Type.Record(Type.String(), Type.String(), { description: `${MASKED_TEXT} to viewers` }),
      body_template: nullableText({
        description: `the body with placeholders such as {{alert.title}}; null: { event, alert, rule, check, result, organization }; ${MASKED_TEXT} to viewers`,
      }),
      secret: nullableText({ description: `whsec_…, which signs requests (Standard Webhooks); ${MASKED_DESCRIPTION}` }),
    },
    { description: 'webhook' },
  ),
  // The URL, headers and body may contain secrets of other systems.
  sealed: { url: URL_FOR_EDITORS, headers: FOR_EDITORS, body_template: FOR_EDITORS, secret: SECRET },
  read: (given, previous, say) => webhookIn(given, previous, say),
  receivers: ({ url, method, headers, body_template: template, secret }) => [
    { notifier: 'webhook', settings: { url, method, headers, template, ...(secret !== null && { secret }) } },
  ],
  renamedFields: { template: 'body_template' },
  rateLimitTarget: webhookRateLimitTarget,
  messageForm: 'data',
});

const webhookIn = (given: Fields, previous: Fields | null, say: ProblemReporter): Fields => {
  const url = readUrl(given['url'], previous?.['url'], 'url', say);
  const { method, headers, body_template, secret } = given;
  const known = isFields(previous?.['headers']) ? previous['headers'] : {};
  const elsewhere = previous !== null && webhookOrigin(previous['url']) !== webhookOrigin(url);
  const secretIn = (value: unknown, stored: unknown, field: string): string => {
    if (value === MASKED_TEXT && elsewhere && typeof stored === 'string') say(field, OTHER_HOST);
    return readText(value, stored, field, say);
  };
  const byName = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
  if (headers !== undefined && headers !== null && !isFields(headers)) say('headers', 'Must be an object.');
  if (method !== undefined && method !== null && !METHODS.some((one) => one === method)) {
    say('method', `Must be one of: ${METHODS.join(', ')}.`);
  }
  const optional = (field: 'body_template' | 'secret', value: unknown): string | null =>
    value === undefined || value === null ? null : secretIn(value, previous?.[field], field);
  const template = optional('body_template', body_template);
  if (template !== null && template.length > LONGEST_TEMPLATE) {
    say('body_template', `Must have at most ${LONGEST_TEMPLATE} characters.`);
  }
  return {
    url,
    method: method ?? 'POST',
    headers: Object.fromEntries(
      Object.entries(isFields(headers) ? headers : {}).map(([name, value]) => [
        name,
        secretIn(value, byName.get(name.toLowerCase()), `headers.${name}`),
      ]),
    ),
    body_template: template === '' ? null : template,
    secret: optional('secret', secret),
  };
};
