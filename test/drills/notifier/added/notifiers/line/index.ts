import { once } from 'node:events';
import { whyNotConnected } from '../../network/not-connected.ts';
import { openConnection } from '../../network/open.ts';
import type { Notifier, Settings } from '../notifier.ts';
import { failedTry } from '../outcomes.ts';
import type { WebhookContext } from '../webhook/index.ts';

const TIME_LIMIT_MS = 5_000;

const addressOf = ({ address }: Settings): { host: string; port: number } => {
  const { hostname, port } = new URL(`tcp://${String(address)}`);
  return { host: hostname, port: Number(port) };
};

/** Writes a line to a port. The response `ok` means success; `no` is a permanent failure. */
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
        return failedTry('refused', 'The line was refused.', { permanent: true });
      } finally {
        socket.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      const why = whyNotConnected(error);
      return why ? failedTry(why.reason, why.sentence) : failedTry('timeout', 'Nobody accepted the line.');
    }
  },
});
