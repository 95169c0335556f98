/**
 * Measures a request for the 100,000 subscribers of a page in the real program: its duration, and the memory of the
 * process.
 */
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, perSecond, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const SUBSCRIBERS = sizeOf('SUBSCRIBERS', 100_000);
const AT_ONCE = 64;
const SAMPLE_MS = 100;

const ask = ({ address, key }: Program, path: string, body?: object): Promise<Response> =>
  fetch(`${address}${path}`, {
    headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

const subscribeAll = async (program: Program, path: string): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < SUBSCRIBERS) {
      const email = `subscriber-${next++}@example.com`;
      const reply = await ask(program, path, { mode: 'email', email, skip_confirmation_notification: true });
      await reply.text();
      if (reply.status > 202) throw new Error(`POST ${path} responded ${reply.status}.`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/**
 * Reads the list as it arrives.
 *
 * @returns the size of the list in bytes
 */
const readList = async (program: Program, path: string): Promise<number> => {
  const { body } = await ask(program, path);
  let bytes = 0;
  if (body) for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.length;
  return bytes;
};

const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20).toLocaleString('en')} MiB`;

export const bench = async (): Promise<Row[]> => {
  const program = await startProgram();
  try {
    const page = (await (await ask(program, '/v1/pages', { name: 'Page' })).json()) as { id: string };
    const path = `/v1/pages/${page.id}/subscribers`;
    const began = performance.now();
    await subscribeAll(program, path);
    const subscribed = performance.now() - began;
    await readList(program, path);

    const before = usageOf(program.pid).memory;
    let most = before;
    const others: number[] = [];
    const done = new AbortController();
    const watching = (async () => {
      while (!done.signal.aborted) {
        const asked = performance.now();
        await (await ask(program, '/v1/component-statuses')).text();
        others.push(performance.now() - asked);
        most = Math.max(most, usageOf(program.pid).memory);
        await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
      }
    })();
    const start = performance.now();
    const bytes = await readList(program, path);
    const took = performance.now() - start;
    done.abort();
    await watching;
    const of = `of ${SUBSCRIBERS.toLocaleString('en')} subscribers`;
    return [
      { what: 'subscriptions by an editor, 64 concurrent', figure: perSecond(SUBSCRIBERS, subscribed) },
      { what: `list ${of}`, figure: `${(took / 1_000).toFixed(1)} s, ${mebibytes(bytes)}` },
      {
        what: `memory while the list ${of} is sent`,
        figure: `+${mebibytes(most - before)}`,
        peer: `before ${mebibytes(before)}`,
        aim: '< 64 MiB',
      },
      {
        what: `another request meanwhile, p99`,
        figure: `${percentile(others, 0.99).toFixed(0)} ms`,
        aim: '< 200 ms',
      },
    ];
  } finally {
    await program.stop();
  }
};
