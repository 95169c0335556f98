/**
 * Measures the change streams of an organization, one for each tab: the cost of a thousand streams, the time until all
 * of them have received a change, and the CPU usage while 300 checks change within ten seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild, type Child } from '../tools/child.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';
import { callApi } from './http.ts';

const STREAMS = sizeOf('EVENT_STREAMS', 1_000);
const CHECKS = sizeOf('EVENT_CHECKS', 300);
const PER_KEY = 50;
const SECONDS = 10;
const ROUNDS = 5;
const MIB = 1_048_576;

const keysOf = async (program: Program): Promise<string[]> => {
  const keys: string[] = [];
  for (let index = 0; index < Math.ceil(STREAMS / PER_KEY); index++) {
    const body = { name: `tab ${index}`, role: 'viewer' };
    keys.push(((await callApi(program, { path: '/v1/api-keys', body })) as { token: string }).token);
  }
  return keys;
};

const createChecks = async (program: Program): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < CHECKS; index++) {
    const body = {
      name: `check ${index}`,
      type: 'tcp',
      host: '127.0.0.1',
      port: 9,
      interval: 3_600,
      active: false,
    };
    ids.push(((await callApi(program, { path: '/v1/checks', body })) as { id: string }).id);
  }
  return ids;
};

const rename = async ({ address, key }: Program, id: string, name: string): Promise<void> => {
  const response = await fetch(`${address}/v1/checks/${id}`, {
    method: 'PATCH',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`A change got status ${response.status}.`);
};

/**
 * Changes all checks within ten seconds.
 *
 * @returns the CPU usage of the process, as a fraction of a core
 */
const changeAll = async (program: Program, ids: readonly string[], word: string): Promise<number> => {
  const before = usageOf(program.pid).cpu;
  const began = performance.now();
  for (const [index, id] of ids.entries()) {
    await rename(program, id, `${word} ${index}`);
    await sleep(Math.max(0, began + ((index + 1) * SECONDS * 1_000) / ids.length - performance.now()));
  }
  return (usageOf(program.pid).cpu - before) / ((performance.now() - began) / 1_000);
};

const delays = async (program: Program, clients: Child, id: string): Promise<number> => {
  const found: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await sleep(1_500);
    const word = `round${round}of${Date.now()}`;
    await clients.ask({ want: word });
    const since = Date.now();
    await rename(program, id, word);
    await sleep(2_500);
    const { heard, last } = (await clients.ask({ since })) as { heard: number; last: number };
    if (heard < STREAMS) throw new Error(`Only ${heard} of ${STREAMS} streams received the change.`);
    found.push(last - since);
  }
  return median(found);
};

export const bench = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  const clients = await startChild('http/event-listeners');
  try {
    const [keys, ids] = [await keysOf(program), await createChecks(program)];
    await changeAll(program, ids, 'warm');
    const usual = await changeAll(program, ids, 'usual');
    const before = usageOf(program.pid).memory;
    const further = (): number => usageOf(program.pid).memory - before;
    await clients.ask({ open: { url: `${program.address}/v1/events`, keys, count: STREAMS } });
    await sleep(2_000);
    const opened = further();
    const delay = await delays(program, clients, ids[0] ?? '');
    await clients.ask({ bytes: true });
    const during = await changeAll(program, ids, 'followed');
    await sleep(1_500);
    const { bytes } = (await clients.ask({ bytes: true })) as { bytes: number };
    const memory = Math.max(opened, further());
    const many = STREAMS.toLocaleString('en');
    return [
      {
        what: `${many} streams of events: additional memory of the process`,
        figure: `${Math.round(memory / MIB)} MiB`,
        peer: `${Math.round(memory / STREAMS / 1_024)} KiB per stream`,
        aim: '< 100 MiB',
      },
      {
        what: `${many} streams of events: until all have received a change`,
        figure: `${delay} ms`,
        aim: '< 2,000 ms',
      },
      {
        what: `${many} streams of events: CPU while ${CHECKS} checks change in ${SECONDS} s`,
        figure: `${(during * 100).toFixed(0)} % of a core`,
        peer: `without streams ${(usual * 100).toFixed(0)} %`,
      },
      {
        what: 'the same: sent to each stream',
        figure: `${Math.round(bytes / STREAMS / 1_024)} KiB`,
      },
    ];
  } finally {
    await clients.stop();
    await program.stop();
  }
};
