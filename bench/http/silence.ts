/**
 * Measures the longest time for which one organization gets no response, while another organization requests long lists
 * and the uptime of many components.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inProject } from '../../test/project.ts';
import { startChild, type Child } from '../tools/child.ts';
import { callApi } from './http.ts';
import { startProgram, type Program } from '../tools/program.ts';
import type { SilenceLoad } from './silence-load.ts';
import { sizeOf } from '../tools/sizes.ts';
import type { Row } from '../tools/table.ts';

const INCIDENTS = sizeOf('SILENCE_INCIDENTS', 130);
const COMPONENTS = sizeOf('SILENCE_COMPONENTS', 300);
/**
 * Number of updates per incident. Each has a text and the statuses of all components, so that together they fill a
 * request of 1 MiB.
 */
const UPDATES = 29;
const AIM = '< 50 ms';

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-silence-'));
  try {
    const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
    const load = await startChild('http/silence-load', { greets: true });
    try {
      return await measure(program, load, anotherOrganization(folder));
    } finally {
      await load.stop();
      await program.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Creates another organization, and returns its API key. */
const anotherOrganization = (folder: string): string => {
  const run = (...words: string[]): Record<string, string> => {
    const env = { ...process.env, DATA_DIR: folder };
    const printed = execFileSync(process.execPath, [inProject('dist/cli/uptrail.cjs'), ...words, '--json'], { env });
    return JSON.parse(printed.toString()) as Record<string, string>;
  };
  const { id = '' } = run('organization', 'create', '--name', 'Other');
  const { token = '' } = run('api-key', 'create', '--name', 'bench', '--role', 'viewer', '--organization', id);
  return token;
};

const measure = async (program: Program, load: Child, other: string): Promise<Row[]> => {
  const { page, components } = await fill(program);
  const list = { path: `${page}/incidents` };
  const uptime = { path: `${page}/components/uptime`, body: { component_ids: components } };
  const during = async (requests: SilenceLoad['requests']): Promise<{ silence: number; summary: string }> => {
    const state = { over: false };
    const silence = longestSilence(program, other, state);
    const { address, key } = program;
    const { answers } = (await load.ask({ address, key, requests } satisfies SilenceLoad)) as {
      answers: { status: number; bytes: number }[];
    };
    state.over = true;
    const statuses = answers.map(({ status }) => status.toString()).join(', ');
    const mebibytes = Math.round(answers.reduce((sum, { bytes }) => sum + bytes, 0) / 1_048_576);
    return { silence: await silence, summary: `${statuses}; ${mebibytes} MiB` };
  };
  const idle = { over: false };
  const silence = longestSilence(program, other, idle);
  await sleep(2_000);
  idle.over = true;
  const quiet = await silence;
  const row = (what: string, { silence: figure, summary }: { silence: number; summary: string }): Row => ({
    what: `longest gap between responses while ${what}`,
    figure: milliseconds(figure),
    peer: `${milliseconds(quiet)} when idle; responses ${summary}`,
    aim: AIM,
  });
  return [
    row(
      `another organization reads ${INCIDENTS} incidents four times concurrently`,
      await during([list, list, list, list]),
    ),
    row(`it requests the uptime of ${COMPONENTS} components three times`, await during([uptime, uptime, uptime])),
  ];
};

const milliseconds = (figure: number): string => `${figure.toFixed(0)} ms`;

/** Returns the longest time between two responses to a client that always has a pending request, in milliseconds. */
const longestSilence = async (program: Program, key: string, state: { over: boolean }): Promise<number> => {
  let longest = 0;
  while (!state.over) {
    const began = performance.now();
    await callApi({ ...program, key }, { path: '/v1/organizations' });
    longest = Math.max(longest, performance.now() - began);
    await sleep(5);
  }
  return longest;
};

/** Creates a page with many components and past incidents. Each incident has the maximum size of a request. */
const fill = async (program: Program): Promise<{ page: string; components: string[] }> => {
  const make = async (path: string, body: object): Promise<string> =>
    ((await callApi(program, { path, body })) as { id: string }).id;
  const page = `/v1/pages/${await make('/v1/pages', { name: 'Silence' })}`;
  const components = await Promise.all(
    Array.from({ length: COMPONENTS }, (_, n) =>
      make(`${page}/components`, { name: `Component ${n}`, start_date: '2020-01-01' }),
    ),
  );
  const text = 'Some requests fail; we are looking into it. '.repeat(500);
  const DAY = 86_400_000;
  for (let n = 0; n < INCIDENTS; n++) {
    const begins = Date.now() - (80 - (n * 79) / INCIDENTS) * DAY;
    const incident_updates = Array.from({ length: UPDATES }, (_, k) => {
      const isLast = k === UPDATES - 1;
      const status = k % 2 === 0 ? 'major_outage' : 'partial_outage';
      return {
        body: text,
        status: isLast ? 'resolved' : 'investigating',
        created_at: new Date(begins + k * 60_000).toISOString(),
        components: Object.fromEntries(components.map((id) => [id, isLast ? 'operational' : status])),
      };
    });
    await make(`${page}/incidents/log-past-incident`, {
      name: `Incident ${n}`,
      impact: 'major',
      incident_updates,
    });
  }
  return { page, components };
};
