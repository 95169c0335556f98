import { createServer } from 'node:net';

/**
 * The lowest port that is issued. All issued ports are below the ranges that systems assign automatically (Linux: 32768
 * and up, IANA: 49152 and up), so neither a connection nor another server gets an issued port by chance.
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
 * Returns a free port of this machine. A process issues each port only once, and concurrent test processes begin in
 * different blocks of ports.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < BLOCK * BLOCKS; tries++) {
    const port = FIRST + (((process.pid % BLOCKS) * BLOCK + given++) % (BLOCK * BLOCKS));
    if (await isFree(port)) return port;
  }
  throw new Error('There is no free port.');
};
