/**
 * Measures status pages. Measures the cost of a visit compared with that of a static file, and the time to render a
 * large page with cold caches. Also measures how many visitors can follow a page, and how these visitors affect API
 * clients.
 */
import autocannon from 'autocannon';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../tools/child.ts';
import { startPeer, startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, perSecond, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';
import { callApi, fillPages } from './http.ts';

const STREAMS = sizeOf('PAGE_STREAMS', 10_000);
const ROUNDS = sizeOf('PAGE_ROUNDS', 5);
const SECONDS = 2;
const COMPONENTS = 50;
const LARGE = { components: sizeOf('PAGE_COMPONENTS', 500), incidents: sizeOf('PAGE_INCIDENTS', 2_000) };
const YEAR = 365 * 86_400_000;
const SEQUENCES = 16;
const BROTLI = { accept: 'text/html', 'accept-encoding': 'br' };
const MIB = 1_048_576;

/** Calls a function for each index, with bounded concurrency. */
const each = async (count: number, make: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await make(next++);
  };
  await Promise.all(Array.from({ length: SEQUENCES }, lane));
};

const create = async (program: Program, path: string, body: object): Promise<string> =>
  ((await callApi(program, { path, body })) as { id: string }).id;

interface MadePage {
  id: string;
  components: string[];
}

const createPage = async (program: Program, subdomain: string, count: number): Promise<MadePage> => {
  const id = await create(program, '/v1/pages', { name: subdomain, subdomain });
  const components: string[] = [];
  await each(count, async (index) => {
    const name = `Component ${index}`;
    components[index] = await create(program, `/v1/pages/${id}/components`, { name, start_date: '2020-01-01' });
  });
  return { id, components };
};

/** Creates past incidents that lasted an hour each, spread evenly over five years. */
const logIncidents = ({ id, components }: MadePage, program: Program, count: number): Promise<void> =>
  each(count, async (index) => {
    const began = Date.now() - ((index + 1) * 5 * YEAR) / (count + 1);
    const component = components[index % components.length] ?? '';
    const at = (hours: number): string => new Date(began + hours * 3_600_000).toISOString();
    await callApi(program, {
      path: `/v1/pages/${id}/incidents/log-past-incident`,
      body: {
        name: `Incident ${index}`,
        impact: 'major',
        incident_updates: [
          {
            body: 'It is down.',
            status: 'investigating',
            created_at: at(0),
            components: { [component]: 'major_outage' },
          },
          { body: 'It is up.', status: 'resolved', created_at: at(1), components: { [component]: 'operational' } },
        ],
      },
    });
  });

const visit = async (url: string, headers: Record<string, string> = BROTLI): Promise<Buffer> => {
  const asked = request(url, { headers }).end();
  const [reply] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(reply);
  if (reply.statusCode !== 200) throw new Error(`${url} responded ${String(reply.statusCode)}.`);
  return body;
};

const rate = async (url: string): Promise<number> => {
  const result = await autocannon({ url, connections: 10, duration: SECONDS, headers: BROTLI });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refusals.`);
  return result['2xx'] / result.duration;
};

/** Measures the page and the file in alternation, because the machine's speed varies, and compares the medians. */
const compared = async (what: string, ours: string, theirs: string): Promise<Row> => {
  await rate(ours);
  await rate(theirs);
  const rounds: { own: number; other: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ own: await rate(ours), other: await rate(theirs) });
  const ratio = median(rounds.map(({ own, other }) => own / other));
  return {
    what,
    figure: perSecond(median(rounds.map(({ own }) => own)), 1_000),
    peer: `static file ${perSecond(median(rounds.map(({ other }) => other)), 1_000)}`,
    ratio,
    aim: '≥ 0.6',
  };
};

/** Repeats an action at an interval in milliseconds while `work` runs. */
const meanwhile = async <T>(every: number, act: () => Promise<unknown>, work: () => Promise<T>): Promise<T> => {
  const state = { over: false };
  const acting = (async () => {
    while (!state.over) {
      await act();
      await sleep(every);
    }
  })();
  try {
    return await work();
  } finally {
    state.over = true;
    await acting;
  }
};

/**
 * Returns a function that writes an incident on another page and pings ten heartbeats. Every twentieth call also writes
 * an incident on `page`.
 */
const writing = async (program: Program, page: MadePage) => {
  const other = await createPage(program, 'elsewhere', 1);
  const heartbeats: string[] = [];
  await each(10, async (index) => {
    heartbeats.push(await create(program, '/v1/heartbeats', { name: `job ${index}`, period_seconds: 3_600 }));
  });
  const incident = ({ id, components: [component = ''] }: MadePage): Promise<unknown> =>
    callApi(program, {
      path: `/v1/pages/${id}/incidents`,
      body: { name: 'Slow', body: 'It is.', status: 'identified', components: { [component]: 'partial_outage' } },
    });
  let turn = 0;
  return async (): Promise<void> => {
    await incident(other);
    if (turn++ % 20 === 0) await incident(page);
    await Promise.all(heartbeats.map((id) => fetch(`${program.address}/v1/heartbeats/${id}/ping`, { method: 'POST' })));
  };
};

const visits = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'info', PINGS_PER_MINUTE: '0' });
  try {
    const page = await createPage(program, 'visited', COMPONENTS);
    await logIncidents(page, program, 20);
    const address = `${program.address}/status/visited`;
    const peer = await startPeer('tools/static-peer.ts', { base64: (await visit(address)).toString('base64') });
    try {
      const calm = await compared(`status page of ${COMPONENTS} components`, address, `${peer.address}/`);
      const write = await writing(program, page);
      const busy = await meanwhile(50, write, () =>
        compared('the same while incidents are posted and results stored', address, `${peer.address}/`),
      );
      return [calm, busy];
    } finally {
      await peer.stop();
    }
  } finally {
    await program.stop();
  }
};

const p99 = async ({ address, key }: Program, path: string): Promise<number> => {
  const options = { connections: 4, overallRate: 200, duration: 5 };
  const { latency, non2xx, errors } = await autocannon({
    url: address + path,
    headers: { authorization: key },
    ...options,
  });
  if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx} refusals.`);
  return latency.p99;
};

const streams = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  const clients = await startChild('http/page-streams');
  try {
    const { incident } = await fillPages(program);
    const page = await createPage(program, 'followed', COMPONENTS);
    const change = async (): Promise<void> => {
      const path = `/v1/pages/${page.id}/components`;
      await create(program, path, { name: `Further ${Math.random()}` });
    };
    await p99(program, incident);
    const usual = [await p99(program, incident), await p99(program, incident)];
    const before = usageOf(program.pid).memory;
    await clients.ask({ open: { url: `${program.address}/status/followed/events`, count: STREAMS } });
    await sleep(2_000);
    const memory = usageOf(program.pid).memory - before;
    const delays: number[] = [];
    for (let round = 0; round < 3; round++) {
      await sleep(1_000);
      const since = Date.now();
      await change();
      await sleep(3_000);
      const { heard: received, last } = (await clients.ask({ since })) as { heard: number; last: number };
      if (received < STREAMS) throw new Error(`Only ${received} of ${STREAMS} streams received the change.`);
      delays.push(last - since);
    }
    const during = await meanwhile(2_000, change, async () => [
      await p99(program, incident),
      await p99(program, incident),
    ]);
    const many = STREAMS.toLocaleString('en');
    return [
      {
        what: `${many} event streams of a page: additional memory of the process`,
        figure: `${Math.round(memory / MIB)} MiB`,
        peer: `${Math.round(memory / STREAMS / 1_024)} KiB per stream`,
        aim: '< 300 MiB',
      },
      {
        what: `${many} event streams: until all have received a change`,
        figure: `${median(delays)} ms`,
        aim: '< 2,000 ms',
      },
      {
        what: `GET of an incident meanwhile, p99, a change every 2 s`,
        figure: `${median(during)} ms`,
        peer: `without streams ${median(usual)} ms`,
        ratio: median(during) / median(usual),
        aim: '< 2',
      },
    ];
  } finally {
    await clients.stop();
    await program.stop();
  }
};

const large = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  try {
    const page = await createPage(program, 'large', LARGE.components);
    await logIncidents(page, program, LARGE.incidents);
    const address = `${program.address}/status/large`;
    const took: number[] = [];
    let bytes = 0;
    // The caches are cold: nothing was rendered in these languages before.
    for (const language of ['en', 'de', 'fr', 'es', 'ru']) {
      const began = performance.now();
      bytes = (await visit(`${address}?lang=${language}`)).length;
      took.push(performance.now() - began);
    }
    return [
      {
        what: `status page of ${LARGE.components} components and ${LARGE.incidents.toLocaleString('en')} incidents, first rendering`,
        figure: `${median(took).toFixed(0)} ms`,
        peer: `the very first ${(took[0] ?? Number.NaN).toFixed(0)} ms, ${Math.round(bytes / 1_024)} KiB in Brotli`,
        aim: '< 100 ms',
      },
    ];
  } finally {
    await program.stop();
  }
};

export const bench = async (): Promise<Row[]> => [...(await visits()), ...(await streams()), ...(await large())];
