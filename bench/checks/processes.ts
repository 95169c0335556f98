/**
 * Measures HTTPS probes in separate processes, as in the service. Compares one process per core with a single process,
 * and with blackbox_exporter on the same cores.
 */
import { availableParallelism } from 'node:os';
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startBlackbox } from '../tools/blackbox.ts';
import { startChild } from '../tools/child.ts';
import type { ProbeLoopTask, ProbeLoopTimes } from './probe-loop.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, perSecond, type Row } from '../tools/table.ts';

const PROBES = sizeOf('PROBES', 5_000);
const ROUNDS = sizeOf('PROBE_ROUNDS', 5);
const CONCURRENCY = 50;

export const bench = async (): Promise<Row[]> => {
  const authority = createAuthority();
  const { key, cert } = authority.make('server', { names: 'IP:127.0.0.1' });
  const servers = await startChild('checks/probe-servers');
  const prober = await startChild('checks/probe-loop', { greets: true });
  const blackbox = await startBlackbox(authority.file('root.crt'));
  try {
    const { https } = (await servers.ask({ value: { key, cert } })) as { https: number };
    const url = `https://127.0.0.1:${https}/`;
    const task = { loop: 'uptrail', url, trust: authority.root, probes: PROBES, concurrency: CONCURRENCY } as const;
    const ours = async (processes: number): Promise<ProbeLoopTimes> =>
      (await prober.ask({ ...task, processes } satisfies ProbeLoopTask)) as ProbeLoopTimes;
    const rounds: { all: ProbeLoopTimes; one: ProbeLoopTimes; exporter: ProbeLoopTimes | null }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const all = await ours(availableParallelism());
      const one = await ours(1);
      const exporter = (await blackbox?.probe('http', url, PROBES, CONCURRENCY)) ?? null;
      // The first round is a warm-up.
      if (round > 0) rounds.push({ all, one, exporter });
    }
    return rowsOf(rounds);
  } finally {
    await blackbox?.stop();
    await prober.stop();
    await servers.stop();
    authority.close();
  }
};

const rowsOf = (
  rounds: readonly { all: ProbeLoopTimes; one: ProbeLoopTimes; exporter: ProbeLoopTimes | null }[],
): Row[] => {
  const cores = availableParallelism().toString();
  const what = `https probes in processes, ${cores} at most, results durable`;
  const of = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  const wall = of(({ all }) => all.wall);
  const used = of(({ all }) => all.cpu / all.wall).toFixed(2);
  const rows: Row[] = [
    {
      what: `${what}, by the clock`,
      figure: `${perSecond(PROBES, wall)} with ${used} cores`,
      peer: `one process ${perSecond(
        PROBES,
        of(({ one }) => one.wall),
      )}`,
      ratio: of(({ all, one }) => one.wall / all.wall),
    },
  ];
  const exporters = rounds.flatMap(({ all, exporter }) => (exporter ? [{ all, exporter }] : []));
  if (exporters.length === 0) return rows;
  const beside = (figure: (round: (typeof exporters)[number]) => number): number => median(exporters.map(figure));
  return [
    ...rows,
    {
      what: `${what}, by the clock`,
      figure: perSecond(PROBES, wall),
      peer: `blackbox_exporter ${perSecond(
        PROBES,
        beside(({ exporter }) => exporter.wall),
      )}`,
      ratio: beside(({ all, exporter }) => exporter.wall / all.wall),
    },
    {
      what: `${what}, per second of CPU`,
      figure: perSecond(
        PROBES,
        of(({ all }) => all.cpu),
      ),
      peer: `blackbox_exporter ${perSecond(
        PROBES,
        beside(({ exporter }) => exporter.cpu),
      )}`,
      ratio: beside(({ all, exporter }) => exporter.cpu / all.cpu),
      aim: '≥ 1 on Node.js 24',
    },
  ];
};
