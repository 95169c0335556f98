import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemResolve } from '../../network/resolve.ts';
import type { BotContext } from '../../notifiers/bot-notifier.ts';
import type { NotificationMessage, SendOutcome } from '../../notifiers/notifier.ts';
import { fakeClock } from '../network/fake-clock.ts';

/** Returns the dependencies of a bot whose API is on a local port, and whose clock shows 15:00. */
export const botContext = (port: number): BotContext => ({
  clock: fakeClock(Date.parse('2026-11-20T15:00:00Z')),
  resolve: systemResolve,
  policy: createTargetPolicy({ policy: 'internal' }),
  apiUrl: `http://127.0.0.1:${port}`,
});

export const messageOf = (text: string): NotificationMessage => ({
  id: 'delivery0001',
  event: 'alert.fired',
  subject: 'A subject',
  text,
  data: {},
});

/** Formats the outcome of an attempt on one line. */
export const lineOf = (sent: SendOutcome): string => {
  if (sent.status === 'delivered') return `delivered ${String(sent.response_code)}`;
  const whether = sent.status === 'failed' && sent.permanent ? 'permanent' : 'again';
  return `${whether} ${sent.reason} ${String(sent.response_code)}: ${sent.error_message}`;
};
