import { Type } from '@sinclair/typebox';
import type { ProblemReporter } from '../../domain/alert-channel/problems.ts';
import { webhookOrigin } from '../../domain/alert-channel/masked-webhook.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import type { Fields } from '../../domain/fields.ts';
import { defineChannelType, type ServiceResponse } from '../channels/channel-type.ts';
import {
  FOR_EDITORS,
  isToken,
  MASKED_DESCRIPTION,
  nullableText,
  OTHER_HOST,
  SECRET,
  readText,
} from '../channels/fields.ts';
import type { SendOutcome, NotifierSettings, SettingsErrors } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import { withOwnSentence } from '../refusals.ts';
import { ntfyMessage } from './message.ts';

const DEFAULT_SERVER = 'https://ntfy.sh';
/** Pattern of topic names, from https://docs.ntfy.sh/publish/ */
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;
const WHO = 'the ntfy server';

/** Sends a push notification through ntfy (https://docs.ntfy.sh/publish/#publish-as-json). */
export const ntfy = defineChannelType({
  name: 'ntfy',
  delivers: 'a push notification, with the severity as its priority ([below](#ntfy))',
  configuration: Type.Object(
    {
      server_url: Type.String({ description: `default: ${DEFAULT_SERVER}`, examples: [DEFAULT_SERVER] }),
      topic: Type.String({ description: `${MASKED_TEXT} to viewers, since anyone who knows it may read the topic` }),
      token: nullableText({ description: `an access token, if the topic needs one; ${MASKED_DESCRIPTION}` }),
    },
    { description: 'ntfy' },
  ),
  // The topic is sealed, because anyone who knows it can read the messages on a server without accounts.
  sealed: { topic: FOR_EDITORS, token: SECRET },
  read: (given, previous, say) => ntfyIn(given, previous, say),
  rateLimitTarget: ({ server_url, topic, token }) =>
    `${String(token)} ${String(webhookOrigin(server_url))} ${String(topic)}`,
  sender: {
    serviceName: WHO,
    validate: (settings, urlProblem) => problemsOf(settings, urlProblem(settings['server_url'])),
    send: async (message, { server_url, topic, token }, ask) =>
      judged(
        await ask({
          url: new URL(server_url as string),
          body: { topic, ...ntfyMessage(message) },
          ...(typeof token === 'string' && { headers: { authorization: `Bearer ${token}` } }),
        }),
      ),
  },
});

const ntfyIn = (given: Fields, previous: Fields | null, say: ProblemReporter): Fields => {
  const server_url =
    given['server_url'] == null ? DEFAULT_SERVER : readText(given['server_url'], null, 'server_url', say);
  const elsewhere = previous !== null && webhookOrigin(previous['server_url']) !== webhookOrigin(server_url);
  const secretIn = (field: 'topic' | 'token'): string => {
    const stored = previous?.[field];
    if (given[field] === MASKED_TEXT && elsewhere && typeof stored === 'string') say(field, OTHER_HOST);
    return readText(given[field], stored, field, say);
  };
  return { server_url, topic: secretIn('topic'), token: given['token'] == null ? null : secretIn('token') };
};

/** @param urlProblem error message for the server's address; null: the address is valid */
const problemsOf = ({ server_url, topic, token }: NotifierSettings, urlProblem: string | null): SettingsErrors => {
  const server = urlProblem ?? (isBare(new URL(server_url as string)) ? null : NOT_BARE);
  return {
    ...(server !== null && { server_url: [server] }),
    ...(!(typeof topic === 'string' && TOPIC.test(topic)) && {
      topic: ['Must have 1 to 64 letters, digits, hyphens and underscores.'],
    }),
    ...(token !== null && !isToken(token) && { token: ['Must be an access token: visible ASCII characters.'] }),
  };
};

/**
 * Returns whether an address is only an origin. JSON messages must be sent to the root of the server. If they were sent
 * to the address of a topic, ntfy would show the JSON itself as text.
 */
const isBare = ({ pathname, search, hash }: URL): boolean => pathname === '/' && search === '' && hash === '';
const NOT_BARE = `Must be the address of the server alone, such as ${DEFAULT_SERVER}.`;

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The ntfy server did not accept the message.',
  401: 'The ntfy server does not know the token.',
  403: 'The ntfy server does not let the channel write to its topic.',
  404: 'There is no ntfy server at the address.',
  413: 'The ntfy server did not accept the message: it is too long for it.',
};

const judged = ({ outcome, fields }: ServiceResponse): SendOutcome => {
  if (outcome.status !== 'delivered') return withOwnSentence(outcome, REFUSALS);
  return fields === null || typeof fields['id'] === 'string'
    ? outcome
    : failedAttempt('protocol', `There was no valid answer from ${WHO}.`);
};
