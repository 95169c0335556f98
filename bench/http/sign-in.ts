/**
 * Measures the cost of a sign-in compared with the hash alone, and whether the duration of a failed sign-in reveals
 * that an e-mail address is registered.
 */
import { hash, verify } from '@node-rs/argon2';
import { tokenOfLink } from '../../test/account-links.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, perSecond, type Row } from '../tools/table.ts';

/**
 * Number of rounds. Each round has a sign-in with a known e-mail address and one with an unknown address. More rounds
 * would be throttled.
 */
const ROUNDS = sizeOf('SIGN_INS', 200);
const AT_ONCE = 4;
const PASSWORD = 'three quiet herons';
/** The same parameters as in stores/passwords/argon2.ts. */
const OPTIONS = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
/**
 * Makes the service trust the client address that this process sends. Each attempt uses another address, so that none
 * is throttled.
 */
const PROXY = { TRUST_PROXY: '127.0.0.1' };

const emailOf = (n: number): string => `user-${n}@example.com`;
const addressOf = (n: number): string => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;

let asked = 0;
const post = async ({ address }: Program, path: string, body: object, key?: string): Promise<[number, unknown]> => {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': addressOf(++asked),
      ...(key !== undefined && { authorization: key }),
    },
    body: JSON.stringify(body),
  });
  return [response.status, await response.json()];
};

const done = ([status, body]: [number, unknown]): unknown => {
  if (status !== 200) throw new Error(`Got status ${status}: ${JSON.stringify(body)}`);
  return body;
};

const join = async (program: Program, email: string): Promise<void> => {
  const invited = done(await post(program, '/v1/users/invite', { email, role: 'viewer' }, program.key));
  const { invitation_url } = invited as { invitation_url: string };
  const token = tokenOfLink(invitation_url);
  done(await post(program, '/v1/users/reset-password', { token, new_password: PASSWORD }));
};

/** Returns the milliseconds until a wrong password is refused. */
const refused = async (program: Program, email: string): Promise<number> => {
  const start = performance.now();
  const [status] = await post(program, '/v1/login', { email, password: 'not the password' });
  if (status !== 401) throw new Error(`A wrong password got status ${status}.`);
  return performance.now() - start;
};

/** Runs tasks with bounded concurrency, and returns the milliseconds until all of them are done. */
const all = async (count: number, work: (n: number) => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return performance.now() - start;
};

/** Formats the median and the quartiles. */
const spread = (values: readonly number[]): string =>
  `${median(values).toFixed(1)} ms (${percentile(values, 0.25).toFixed(1)} – ${percentile(values, 0.75).toFixed(1)})`;

export const bench = async (): Promise<Row[]> => {
  const users = Math.ceil(ROUNDS / 8);
  const program = await startProgram(PROXY);
  try {
    for (let n = 0; n < users; n++) await join(program, emailOf(n));
    const known: number[] = [];
    const unknown: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      // Both sign-ins are measured in alternation, because the machine's speed varies. Both reuse the same connection.
      known.push(await refused(program, emailOf(n % users)));
      unknown.push(await refused(program, `nobody-${n % users}@example.com`));
    }
    const took = await all(ROUNDS, async (n) => {
      done(await post(program, '/v1/login', { email: emailOf(n % users), password: PASSWORD }));
    });
    const phc = await hash(PASSWORD, OPTIONS);
    const bare = await all(ROUNDS, () => verify(phc, PASSWORD));
    return [
      {
        what: 'a wrong password for a registered e-mail address, median (quartiles)',
        figure: spread(known),
        peer: `unregistered ${spread(unknown)}`,
        ratio: median(known) / median(unknown),
        aim: '0.95 – 1.05',
      },
      {
        what: `sign-ins, ${AT_ONCE} concurrent`,
        figure: perSecond(ROUNDS, took),
        peer: `bare argon2id ${perSecond(ROUNDS, bare)}`,
        ratio: bare / took,
        aim: '≥ 0.5',
      },
    ];
  } finally {
    await program.stop();
  }
};
