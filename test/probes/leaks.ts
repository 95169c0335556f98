import type { Socket } from 'node:net';
import type { suite } from 'uvu';
import { handles, manyTimes, noMoreThan } from './handles.ts';
import type { TestRunOptions } from './run-context.ts';
import { rawServer } from './web/servers.ts';
import { freePort } from '../servers/ports.ts';

const HOST = '127.0.0.1';

/**
 * Specifies that a thousand runs against each of these servers, and against unreachable targets, leave no handles open.
 */
export const leaveNothing = (
  leaks: ReturnType<typeof suite>,
  probe: (host: string, port: number, given?: TestRunOptions) => Promise<unknown>,
  servers: readonly (readonly [name: string, talk: (socket: Socket) => void, given: TestRunOptions])[],
): void => {
  for (const [name, talk, given] of servers) {
    leaks(`runs against a server ${name} leave no handles open`, async () => {
      const server = await rawServer(talk);
      const before = handles();
      await manyTimes(() => probe(HOST, server.port, given));
      await server.close();
      await noMoreThan(before);
    });
  }

  leaks('runs against closed ports and refused or unknown targets leave no handles open', async () => {
    const port = await freePort();
    const before = handles();
    await manyTimes(() => probe('both.test', port, { hosts: { 'both.test': [HOST, '::1'] } }));
    await manyTimes(() => probe('169.254.169.254', port));
    await manyTimes(() => probe('nowhere.test', port));
    await noMoreThan(before);
  });
};
