import { Type } from '@sinclair/typebox';
import { MAX_RECIPIENTS, recipientsIn } from '../../domain/alert-channel/recipients.ts';
import { maskedEmail } from '../../domain/subscriber/masking.ts';
import { defineChannelType } from '../channels/channel-type.ts';
import { MAIL_RELAY } from './rate-limit-target.ts';

/** Sends an e-mail to each recipient separately. */
export const email = defineChannelType({
  name: 'email',
  delivers: `an e-mail to each of them (at most ${MAX_RECIPIENTS}), from \`MAIL_FROM\``,
  configuration: Type.Object(
    {
      recipients: Type.Array(Type.String({ examples: ['i***@example.com'] }), {
        maxItems: MAX_RECIPIENTS,
        description: 'masked for viewers; sending masked addresses back keeps the stored ones',
      }),
    },
    { description: 'email: each recipient gets messages of its own' },
  ),
  sealed: {
    // Recipients are personal data, so viewers see masked addresses.
    recipients: { format: (address, reveal) => (reveal ? address : maskedEmail(address)), recognizable: true },
  },
  read: ({ recipients }, previous, say) => ({ recipients: recipientsIn(recipients, previous?.['recipients'], say) }),
  receivers: ({ recipients }) =>
    (recipients as string[]).map((address) => ({ notifier: 'email', settings: { address } })),
  isNumbered: true,
  messageForm: 'mail',
  rateLimitTarget: () => MAIL_RELAY,
});
