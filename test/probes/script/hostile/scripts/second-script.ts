import { inTest } from '../hostile-script.ts';

export const SECRET_FILE = '/tmp/token';
/** The port of the sandbox's own 127.0.0.1 at which the script listens. */
export const SECRET_PORT = 40_123;

/** A script of another customer. It stores its secret in every place of its sandbox that it can write to, and waits. */
export const WAITING = inTest(`
  fs.writeFileSync('${SECRET_FILE}', process.env.OTHERS);
  fs.writeFileSync('/dev/shm/token', process.env.OTHERS);
  const listen = (at) => real('net').createServer((connection) => connection.end(process.env.OTHERS)).listen(at);
  listen({ host: '127.0.0.1', port: ${SECRET_PORT} });
  listen('\\0other');
  await pause(3000);
  expect(fs.readFileSync('${SECRET_FILE}', 'utf8')).toBe(process.env.OTHERS);`);
