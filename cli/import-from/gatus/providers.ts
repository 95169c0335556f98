import { textIn, textsByNameIn } from '../mapping/fields.ts';
import type { Mapping } from '../read-yaml.ts';
import { bodyTemplateProblem } from '../../../notifiers/webhook/template.ts';

/** Type and configuration of a channel. */
export interface ConfiguredChannel {
  type: string;
  configuration: Readonly<Record<string, unknown>>;
}

type Convert = (settings: Mapping, note: (sentence: string) => void) => ConfiguredChannel | null;

const email: Convert = (settings, note) => {
  note('E-mails of alerts are sent by the mail server of Uptrail (SMTP_URL, MAIL_FROM), not by that of the file.');
  const recipients = (textIn(settings, 'to') ?? '').split(/[,;]/).map((address) => address.trim());
  return { type: 'email', configuration: { recipients: recipients.filter((address) => address !== '') } };
};

const slack: Convert = (settings) => ({
  type: 'slack',
  configuration: { webhook_url: textIn(settings, 'webhook-url') ?? '' },
});

const telegram: Convert = (settings, note) => {
  if (textIn(settings, 'api-url') !== undefined)
    note('Telegram is reached at the address that Uptrail is configured with, not at the api-url of the file.');
  if (textIn(settings, 'topic-id') !== undefined)
    note(
      'Messages to a topic of a Telegram group (topic-id) go to the group itself; a group of its own is the closest equivalent.',
    );
  return {
    type: 'telegram',
    configuration: { bot_token: textIn(settings, 'token') ?? '', chat_id: textIn(settings, 'id') ?? '' },
  };
};

const ntfy: Convert = (settings, note) => {
  for (const key of ['priority', 'click', 'email', 'disable-firebase', 'disable-cache'])
    if (settings[key] !== undefined)
      note(`The setting ${key} of ntfy has no equivalent; the severity of a rule decides the priority.`);
  const server = textIn(settings, 'url')?.replace(/\/+$/, '');
  const token = textIn(settings, 'token');
  return {
    type: 'ntfy',
    configuration: {
      ...(server !== undefined && { server_url: server }),
      topic: textIn(settings, 'topic') ?? '',
      ...(token !== undefined && token !== '' && { token }),
    },
  };
};

/** Placeholders of the custom provider, and those of a body template. */
const PLACEHOLDERS: readonly (readonly [string, string])[] = [
  ['[ALERT_DESCRIPTION]', '{{rule.name}}'],
  ['[ENDPOINT_NAME]', '{{check.name}}'],
  ['[ENDPOINT_GROUP]', '{{check.group.name}}'],
  ['[ENDPOINT_URL]', '{{check.url}}'],
  ['[RESULT_ERRORS]', '{{result.error_message}}'],
  ['[RESULT_CONDITIONS]', '{{message.text}}'],
];

const withPlaceholders = (text: string, [triggered, resolved]: readonly [string, string]): string => {
  const state = `{{#fired}}${triggered}{{/fired}}{{#resolved}}${resolved}{{/resolved}}`;
  return PLACEHOLDERS.reduce(
    (filled, [before, after]) => filled.replaceAll(before, after),
    text.replaceAll('[ALERT_TRIGGERED_OR_RESOLVED]', state),
  );
};

const wordsOf = (settings: Mapping): readonly [string, string] => {
  const placeholders = settings['placeholders'] as Mapping | null | undefined;
  const words = (placeholders?.['ALERT_TRIGGERED_OR_RESOLVED'] ?? {}) as Record<string, unknown>;
  const word = (name: string): string => (typeof words[name] === 'string' ? words[name] : name);
  return [word('TRIGGERED'), word('RESOLVED')];
};

const WEBHOOK_METHODS = ['POST', 'PUT', 'PATCH', 'GET'];

const custom: Convert = (settings, note) => {
  const words = wordsOf(settings);
  const method = (textIn(settings, 'method') ?? 'GET').toUpperCase();
  const url = withPlaceholders(textIn(settings, 'url') ?? '', words);
  const template = withPlaceholders(textIn(settings, 'body') ?? '', words);
  const hasJson = template.trim() !== '' && bodyTemplateProblem(template) === null;
  if (template.trim() !== '' && !hasJson)
    note('The body of the custom alert is not JSON, so its webhook sends the documented JSON body instead.');
  if (!WEBHOOK_METHODS.includes(method)) note(`A webhook cannot send the method ${method}; POST is sent instead.`);
  const headers = textsByNameIn(settings, 'headers');
  return {
    type: 'webhook',
    configuration: {
      url,
      method: WEBHOOK_METHODS.includes(method) ? method : 'POST',
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(hasJson ? { body_template: template } : url.includes('{{') && { body_template: '{}' }),
    },
  };
};

/** The providers that have an equivalent channel type, by name. */
export const PROVIDERS: ReadonlyMap<string, Convert> = new Map([
  ['email', email],
  ['slack', slack],
  ['telegram', telegram],
  ['ntfy', ntfy],
  ['custom', custom],
]);

/** Providers for which the documentation of channels has a recipe. */
const RECIPES: Readonly<Record<string, string>> = {
  discord: 'Discord',
  mattermost: 'Mattermost',
  opsgenie: 'Opsgenie',
  pagerduty: 'PagerDuty',
};

/** The rest of a sentence that names the closest equivalent of a provider. */
export const closestOf = (type: string): string => {
  const recipe = RECIPES[type];
  return recipe === undefined
    ? 'create a webhook channel with a body template, or an e-mail channel.'
    : `create a webhook channel by the recipe for ${recipe} in the documentation of alert channels.`;
};
