import { Type } from '@sinclair/typebox';
import { defineChannelType, type ServiceResponse } from '../channels/channel-type.ts';
import { SECRET_URL, readUrl } from '../channels/fields.ts';
import type { SendOutcome } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import { withOwnSentence } from '../refusals.ts';
import { slackMessage } from './message.ts';

/**
 * Sends a message through a Slack incoming webhook
 * (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). Slack does not return the id of such a
 * message, so the message can neither be edited later nor replied to in a thread. Therefore the resolution of an alert
 * is a separate message.
 */
export const slack = defineChannelType({
  name: 'slack',
  delivers: 'a message of an incoming webhook ([below](#slack))',
  configuration: Type.Object(
    {
      webhook_url: Type.String({
        description: '`https://hooks.slack.com/***` in responses; sending it back keeps the stored URL',
        examples: ['https://hooks.slack.com/***'],
      }),
    },
    { description: 'slack' },
  ),
  // The URL is sealed, because anyone who knows it can write to the Slack channel.
  sealed: { webhook_url: SECRET_URL },
  read: ({ webhook_url }, previous, say) => ({
    webhook_url: readUrl(webhook_url, previous?.['webhook_url'], 'webhook_url', say),
  }),
  rateLimitTarget: ({ webhook_url }) => String(webhook_url),
  sender: {
    serviceName: 'Slack',
    validate: ({ webhook_url }, urlProblem) => {
      const problem = urlProblem(webhook_url);
      return problem === null ? {} : { webhook_url: [problem] };
    },
    send: async (message, { webhook_url }, ask) =>
      judged(await ask({ url: new URL(webhook_url as string), body: slackMessage(message) })),
  },
});

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'Slack did not accept the message.',
  403: 'Slack does not let the webhook write to its channel.',
  404: 'Slack does not know the webhook: it was removed, or its channel was.',
  410: 'The channel of the webhook is archived.',
};

/** Slack responds with `ok`. Compatible servers may respond with JSON. */
const judged = ({ outcome, text, fields }: ServiceResponse): SendOutcome => {
  if (outcome.status !== 'delivered') return withOwnSentence(outcome, REFUSALS);
  const isTaken = text === null || text.trim() === 'ok' || fields?.['ok'] === true || fields?.['success'] === true;
  return isTaken ? outcome : failedAttempt('protocol', 'There was no valid answer from Slack.');
};
