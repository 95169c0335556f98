import { inTest } from '../hostile-script.ts';

export const SECRET_FILE = '/tmp/token';
/** It listens at this port of its own 127.0.0.1. */
export const SECRET_PORT = 40_123;

/** The run of somebody else: it has a secret, leaves it all over its sandbox, and takes a while. */
export const WAITING = inTest(`
  fs.writeFileSync('${SECRET_FILE}', process.env.OTHERS);
  fs.writeFileSync('/dev/shm/token', process.env.OTHERS);
  const listen = (at) => real('net').createServer((connection) => connection.end(process.env.OTHERS)).listen(at);
  listen({ host: '127.0.0.1', port: ${SECRET_PORT.toString()} });
  listen('\\0other');
  await pause(3000);
  expect(fs.readFileSync('${SECRET_FILE}', 'utf8')).toBe(process.env.OTHERS);`);
