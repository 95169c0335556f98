import { once } from 'node:events';
import { explainConnectFailure } from '../../network/not-connected.ts';
import { openConnection } from '../../network/open-connection.ts';
import type { Notifier, NotifierSettings } from '../notifier.ts';
import { failedAttempt } from '../send-outcomes.ts';
import type { WebhookContext } from '../webhook/index.ts';

const TIME_LIMIT_MS = 5_000;

const addressOf = ({ address }: NotifierSettings): { host: string; port: number } => {
  const { hostname, port } = new URL(`tcp://${String(address)}`);
  return { host: hostname, port: Number(port) };
};

/** Sends a line to a port. The response `ok` means success, and `no` a permanent failure. */
export const createLine = (context: WebhookContext): Notifier => ({
  name: 'line',
  validate: ({ address }): Record<string, string[]> =>
    typeof address === 'string' && /^[\w.-]+:\d{1,5}$/.test(address) ? {} : { address: ['Must be host:port.'] },
  maskedSettings: (settings) => settings,
  rateLimitTarget: ({ address }) => String(address),
  send: async ({ id, subject }, settings, { signal }) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const progress = { phaseBegins: () => undefined, connected: () => undefined };
    try {
      const { socket } = await openConnection(addressOf(settings), { ...context, signal: ending }, progress);
      try {
        socket.write(`${id} ${subject}\n`);
        const [response] = (await once(socket, 'data', { signal: ending })) as [Buffer];
        if (response.toString() === 'ok\n') return { status: 'delivered', response_code: null };
        return failedAttempt('refused', 'The line was refused.', { permanent: true });
      } finally {
        socket.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      const failure = explainConnectFailure(error);
      if (failure) return failedAttempt(failure.reason, failure.sentence);
      return failedAttempt('timeout', 'Nobody accepted the line.');
    }
  },
});
