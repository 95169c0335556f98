import { mailAddressOf } from '../../domain/mail/address.ts';
import type { Notifier, NotifierSettings } from '../notifier.ts';
import { failedAttempt, disabledNotifier } from '../send-outcomes.ts';
import { composeEmail, type MailIdentity } from './compose.ts';
import { outcomeOfFailure } from './outcome.ts';
import { MAIL_RELAY } from './rate-limit-target.ts';
import { createRelayTransport, type RelayStage, type TransportContext } from './transport.ts';

/** Dependencies of the e-mail notifier. */
export interface EmailContext extends TransportContext, MailIdentity {}

/** Creates the notifier that sends messages as e-mail through a relay. Its settings are `{ address }`. */
export const createEmail = (context: EmailContext): Notifier => {
  const { clock, relay } = context;
  const transport = createRelayTransport(context);
  const peer = `${relay.host}:${relay.port}`;
  return {
    ...email,
    send: async (message, settings, { signal }) => {
      const to = addressIn(settings);
      if (!to) return UNUSABLE;
      let stage: RelayStage = 'session';
      try {
        const mail = await composeEmail(message, to, context, clock.now());
        await transport.send(mail, signal, (entered) => {
          stage = entered;
        });
        return { status: 'delivered', response_code: 250 };
      } catch (error) {
        signal.throwIfAborted();
        return outcomeOfFailure(error, stage, peer, clock.now());
      }
    },
    close: transport.close,
  };
};

/** Creates the e-mail notifier of a service without a mail relay. */
export const createNoEmail = (why: string): Notifier => disabledNotifier(email, why);

const addressIn = ({ address }: NotifierSettings) => (typeof address === 'string' ? mailAddressOf(address) : null);

const email = {
  name: 'email',
  validate: (settings) => (addressIn(settings) ? {} : { address: ['Must be an e-mail address.'] }),
  maskedSettings: (settings) => settings,
  rateLimitTarget: () => MAIL_RELAY,
} satisfies Omit<Notifier, 'send'>;

const UNUSABLE = failedAttempt('settings', 'The address can’t be used for e-mail.', { permanent: true });
