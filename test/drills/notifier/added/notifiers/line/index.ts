import { once } from 'node:events';
import { whyNotConnected } from '../../network/not-connected.ts';
import { openConnection } from '../../network/open.ts';
import type { Notifier, Sent, Settings } from '../notifier.ts';
import type { WebhookContext } from '../webhook/index.ts';

const TIME_LIMIT_MS = 5_000;

const failed = (reason: string, error_message: string, permanent = false): Sent => ({
  status: 'failed',
  permanent,
  notBefore: null,
  reason,
  error_message,
  response_code: null,
});

const addressOf = ({ address }: Settings): { host: string; port: number } => {
  const { hostname, port } = new URL(`tcp://${String(address)}`);
  return { host: hostname, port: Number(port) };
};

/** Writes a line to a port, and is heard where `ok` comes back; `no` is an answer for good. */
export const createLine = (context: WebhookContext): Notifier => ({
  name: 'line',
  validate: ({ address }): Record<string, string[]> =>
    typeof address === 'string' && /^[\w.-]+:\d{1,5}$/.test(address) ? {} : { address: ['Must be host:port.'] },
  shown: (settings) => settings,
  limitedBy: ({ address }) => String(address),
  send: async ({ id, subject }, settings, { signal }) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
    const enter = { enter: () => undefined, connected: () => undefined };
    try {
      const { socket } = await openConnection(addressOf(settings), { ...context, signal: ending }, enter);
      try {
        socket.write(`${id} ${subject}\n`);
        const [answer] = (await once(socket, 'data', { signal: ending })) as [Buffer];
        if (answer.toString() === 'ok\n') return { status: 'delivered', response_code: null };
        return failed('refused', 'The line was refused.', true);
      } finally {
        socket.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      const why = whyNotConnected(error);
      return why ? failed(why.reason, why.sentence) : failed('timeout', 'Nobody took the line.');
    }
  },
});
