import autocannon from 'autocannon';
import { startPeer, startProgram, type Program } from '../tools/program.ts';
import { perSecond, type Row } from '../tools/table.ts';

/** Compares HTTP through the whole stack with a bare Express application that responds with the same JSON. */
export const bench = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'info' });
  try {
    const { incident, list, asked } = await fillPages(program);
    return [
      await compare('GET of an incident', program, { path: incident, connections: 10 }, '≥ 0.6'),
      await compare('GET of a list of 20 incidents', program, { path: list, connections: 10 }, '≥ 0.6'),
      await compare('POST of an incident, durable, 64 connections', program, { ...asked, connections: 64 }, '≥ 0.4'),
    ];
  } finally {
    await program.stop();
  }
};

interface Load {
  path: string;
  body?: object;
  connections: number;
}

const ROUNDS = 5;
const SECONDS = 2;

/** Measures program and peer in alternation, because the machine's speed varies, and compares the medians. */
const compare = async (what: string, program: Program, load: Load, aim: string): Promise<Row> => {
  const peer = await startPeer('tools/http-peer.ts', await callApi(program, load));
  try {
    const toProgram = { ...load, url: `${program.address}${load.path}`, key: program.key };
    const toPeer = { ...load, url: `${peer.address}/`, key: program.key };
    await measureLoad(toProgram, 1);
    await measureLoad(toPeer, 1);
    const rounds: { ours: number; theirs: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ ours: await measureLoad(toProgram, SECONDS), theirs: await measureLoad(toPeer, SECONDS) });
    }
    const ratio = ({ ours, theirs }: { ours: number; theirs: number }): number => ours / theirs;
    const median = rounds.sort((one, other) => ratio(one) - ratio(other))[Math.floor(ROUNDS / 2)];
    if (!median) throw new Error('Nothing was measured.');
    return {
      what,
      figure: perSecond(median.ours, 1_000),
      peer: `bare Express ${perSecond(median.theirs, 1_000)}`,
      ratio: ratio(median),
      aim,
    };
  } finally {
    await peer.stop();
  }
};

/** Measures the number of responses per second. */
export const measureLoad = async (load: Load & { url: string; key: string }, seconds: number): Promise<number> => {
  const { url, key, body, connections } = load;
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} requests were refused, ${result.errors} requests failed.`);
  }
  return result['2xx'] / result.duration;
};

/**
 * Sends a request and returns the body of its response.
 *
 * @throws Error the request was refused
 */
export const callApi = async (
  { address, key }: Pick<Program, 'address' | 'key'>,
  { path, body }: Omit<Load, 'connections'>,
): Promise<unknown> => {
  const response = await fetch(`${address}${path}`, {
    headers: { authorization: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
};

/**
 * Creates two pages with components. The first has 20 incidents to read; on the second, the benchmark opens incidents.
 */
export const fillPages = async (
  program: Pick<Program, 'address' | 'key'>,
): Promise<{ incident: string; list: string; asked: { path: string; body: object } }> => {
  const make = async (path: string, body: object): Promise<string> =>
    ((await callApi(program, { path, body })) as { id: string }).id;
  const pageWithComponent = async (name: string) => {
    const page = await make('/v1/pages', { name });
    const component = await make(`/v1/pages/${page}/components`, { name: 'Checkout' });
    const body = {
      name: 'Payments fail',
      body: 'Some cards are refused. We are looking into it.',
      status: 'investigating',
      components: { [component]: 'partial_outage' },
    };
    return { path: `/v1/pages/${page}/incidents`, body };
  };
  const read = await pageWithComponent('Read');
  const ids: string[] = [];
  for (let incident = 0; incident < 20; incident++) ids.push(await make(read.path, read.body));
  return { incident: `${read.path}/${ids[0] ?? ''}`, list: read.path, asked: await pageWithComponent('Written') };
};
