import { MASK } from '../check/mask.ts';
import { isFields, type Fields } from '../fields.ts';
import { COMPONENT_STATUSES } from '../page/component-status.ts';
import { isMaskedEndpoint } from '../subscriber/masked.ts';
import { CHANNEL_METHODS, type ChannelType, type Configuration } from './configuration.ts';
import { nothingMasked, type Say } from './problems.ts';
import { recipientsIn } from './recipients.ts';
import { maskedWebhook, webhookOrigin } from './shown.ts';

const LONGEST_TEMPLATE = 32_768;

const OTHER_HOST = 'Must be sent anew: the URL leads to another host than before.';

/** Sentences by field. */
export type Problems = Record<string, string[]>;

export type ReadConfiguration = { configuration: Configuration } | { problems: Problems };

/**
 * A configuration as a caller sends it, completed by defaults. A text that is sent masked stands for the one that is
 * stored; what notifiers ask for beyond its form is not judged here.
 *
 * @param previous the stored one with its texts open; null: there is none
 * @returns or what is wrong with it, by field: `configuration.url`
 */
export const readConfiguration = (type: ChannelType, given: unknown, previous: Fields | null): ReadConfiguration => {
  if (!isFields(given)) return { problems: { configuration: ['Must be an object.'] } };
  const problems: Problems = {};
  const say = (field: string, sentence: string): void => {
    problems[`configuration.${field}`] ??= [sentence];
  };
  const configuration = READERS[type](given, previous, say);
  return Object.keys(problems).length > 0 ? { problems } : { configuration };
};

/** A text that may be sent masked. */
const textIn = (value: unknown, known: unknown, field: string, say: Say): string => {
  if (value === undefined) say(field, 'Missing required field.');
  else if (typeof value !== 'string') say(field, 'Must be a string.');
  else if (value !== MASK) return value;
  else if (typeof known === 'string') return known;
  else say(field, nothingMasked(MASK));
  return '';
};

/** A URL that comes back as a viewer sees it stands for the stored one. */
const urlIn = (value: unknown, known: unknown, say: Say): string => {
  if (typeof value !== 'string' || !(value === MASK || isMaskedEndpoint(value)))
    return textIn(value, known, 'url', say);
  if (typeof known === 'string' && (value === MASK || value === maskedWebhook(known))) return known;
  say('url', nothingMasked(value));
  return '';
};

const webhookIn = (given: Fields, previous: Fields | null, say: Say) => {
  const url = urlIn(given['url'], previous?.['url'], say);
  const { method, headers, body_template, secret } = given;
  const known = isFields(previous?.['headers']) ? previous['headers'] : {};
  const elsewhere = previous !== null && webhookOrigin(previous['url']) !== webhookOrigin(url);
  /** What was entered for one host is not sent to another without somebody who knows it. */
  const secretIn = (value: unknown, stored: unknown, field: string): string => {
    if (value === MASK && elsewhere && typeof stored === 'string') say(field, OTHER_HOST);
    return textIn(value, stored, field, say);
  };
  const byName = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
  if (headers !== undefined && headers !== null && !isFields(headers)) say('headers', 'Must be an object.');
  if (method !== undefined && method !== null && !CHANNEL_METHODS.some((one) => one === method)) {
    say('method', `Must be one of: ${CHANNEL_METHODS.join(', ')}.`);
  }
  const optional = (field: 'body_template' | 'secret', value: unknown): string | null =>
    value === undefined || value === null ? null : secretIn(value, previous?.[field], field);
  const template = optional('body_template', body_template);
  if (template !== null && template.length > LONGEST_TEMPLATE) {
    say('body_template', `Must have at most ${LONGEST_TEMPLATE.toString()} characters.`);
  }
  return {
    url,
    method: (method ?? 'POST') as (typeof CHANNEL_METHODS)[number],
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

/** The number of a chat may be sent as a number, too. */
const botIn = (given: Fields, previous: Fields | null, say: Say) => {
  const { chat_id } = given;
  return {
    bot_token: textIn(given['bot_token'], previous?.['bot_token'], 'bot_token', say),
    chat_id: Number.isSafeInteger(chat_id) ? String(chat_id) : textIn(chat_id, undefined, 'chat_id', say),
  };
};

const READERS: {
  readonly [T in ChannelType]: (given: Fields, previous: Fields | null, say: Say) => Configuration;
} = {
  email: ({ recipients }, previous, say) => ({ recipients: recipientsIn(recipients, previous?.['recipients'], say) }),
  webhook: webhookIn,
  telegram: botIn,
  max: botIn,
  statuspage: ({ page_id, component_id, component_status }, _, say) => {
    const status = COMPONENT_STATUSES.find((one) => one === component_status);
    if (!status) {
      const missing = component_status === undefined;
      say(
        'component_status',
        missing ? 'Missing required field.' : `Must be one of: ${COMPONENT_STATUSES.join(', ')}.`,
      );
    }
    return {
      page_id: textIn(page_id, undefined, 'page_id', say),
      component_id: textIn(component_id, undefined, 'component_id', say),
      component_status: status ?? 'operational',
    };
  },
};
