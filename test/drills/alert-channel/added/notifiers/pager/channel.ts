import { Type } from '@sinclair/typebox';
import { webhookOrigin } from '../../domain/alert-channel/masked-webhook.ts';
import { defineChannelType } from '../channels/channel-type.ts';
import { isToken, MASKED_DESCRIPTION, readText, SECRET } from '../channels/fields.ts';

/** An alert channel to a pager, which beeps louder for urgent messages. */
export const pager = defineChannelType({
  name: 'pager',
  delivers: 'a beep',
  configuration: Type.Object(
    { exchange_url: Type.String(), pager_key: Type.String({ description: MASKED_DESCRIPTION }) },
    { description: 'pager' },
  ),
  sealed: { pager_key: SECRET },
  read: ({ exchange_url, pager_key }, previous, say) => ({
    exchange_url: readText(exchange_url, undefined, 'exchange_url', say),
    pager_key: readText(pager_key, previous?.['pager_key'], 'pager_key', say),
  }),
  rateLimitTarget: ({ exchange_url }) => String(webhookOrigin(exchange_url)),
  sender: {
    serviceName: 'the exchange',
    validate: ({ exchange_url, pager_key }, urlProblem) => {
      const problem = urlProblem(exchange_url);
      return {
        ...(problem !== null && { exchange_url: [problem] }),
        ...(!isToken(pager_key) && { pager_key: ['Must be the key of a pager.'] }),
      };
    },
    send: async ({ text, notice }, { exchange_url, pager_key }, ask) => {
      const { outcome } = await ask({
        url: new URL(exchange_url as string),
        headers: { 'x-pager-key': String(pager_key) },
        body: { beep: notice?.title ?? text, urgent: notice?.severity === 'critical' },
      });
      return outcome;
    },
  },
});
