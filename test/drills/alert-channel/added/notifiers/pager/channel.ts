import { Type } from '@sinclair/typebox';
import { webhookOrigin } from '../../domain/alert-channel/shown.ts';
import { defineChannelType } from '../channels/channel-type.ts';
import { isToken, MASKED, SECRET, textIn } from '../channels/fields.ts';

/** A pager, which beeps louder for urgent messages. */
export const pager = defineChannelType({
  name: 'pager',
  arrives: 'a beep',
  configuration: Type.Object(
    { exchange_url: Type.String(), pager_key: Type.String({ description: MASKED }) },
    { description: 'pager' },
  ),
  sealed: { pager_key: SECRET },
  read: ({ exchange_url, pager_key }, previous, say) => ({
    exchange_url: textIn(exchange_url, undefined, 'exchange_url', say),
    pager_key: textIn(pager_key, previous?.['pager_key'], 'pager_key', say),
  }),
  limitedBy: ({ exchange_url }) => String(webhookOrigin(exchange_url)),
  sending: {
    who: 'the exchange',
    validate: ({ exchange_url, pager_key }, urlProblem) => {
      const problem = urlProblem(exchange_url);
      return {
        ...(problem !== null && { exchange_url: [problem] }),
        ...(!isToken(pager_key) && { pager_key: ['Must be the key of a pager.'] }),
      };
    },
    send: async ({ text, notice }, { exchange_url, pager_key }, ask) => {
      const { sent } = await ask({
        url: new URL(exchange_url as string),
        headers: { 'x-pager-key': String(pager_key) },
        body: { beep: notice?.title ?? text, urgent: notice?.severity === 'critical' },
      });
      return sent;
    },
  },
});
