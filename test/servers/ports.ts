import { createServer } from 'node:net';

/**
 * Below the ports that systems assign automatically (Linux: 32768 and up, IANA: 49152 and up): no connection and no
 * server with an assigned port gets one of these, so a free one stays free.
 */
const FIRST = 20_000;
const BLOCK = 32;
const BLOCKS = 375;

let given = 0;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(false);
    });
    server.listen(port, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });

/**
 * A free port of this machine that is issued only once. Test processes that run concurrently begin in blocks of their
 * own.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < BLOCK * BLOCKS; tries++) {
    const port = FIRST + (((process.pid % BLOCKS) * BLOCK + given++) % (BLOCK * BLOCKS));
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};
