/**
 * Compares three clients that query a name server on loopback, each query from a new socket: Uptrail's own client, a
 * bare loop around dns-packet, and blackbox_exporter if it is installed. The name server runs in another process. The
 * figure is the number of queries per second of CPU time, that is, the rate that one core can sustain. CPU time
 * includes all threads of the client's process.
 */
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startBlackbox } from '../tools/blackbox.ts';
import { startChild } from '../tools/child.ts';
import type { DnsLoopTask } from './dns-loop.ts';
import type { ProbeLoopTimes } from './probe-loop.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, perSecond, type Row } from '../tools/table.ts';

const QUESTIONS = sizeOf('DNS_QUESTIONS', 10_000);
const ROUNDS = sizeOf('DNS_ROUNDS', 5);
const CONCURRENCY = 50;

export const bench = async (): Promise<Row[]> => {
  const authority = createAuthority();
  const server = await startChild('checks/dns-server');
  const prober = await startChild('checks/dns-loop', { greets: true });
  const blackbox = await startBlackbox(authority.file('root.crt'));
  try {
    const port = (await server.ask({})) as number;
    const ask = async (loop: DnsLoopTask['loop']): Promise<ProbeLoopTimes> =>
      (await prober.ask({
        loop,
        port,
        questions: QUESTIONS,
        concurrency: CONCURRENCY,
      } satisfies DnsLoopTask)) as ProbeLoopTimes;
    const target = `127.0.0.1:${port}`;
    const contenders = [
      { peer: 'uptrail', run: () => ask('uptrail') },
      { peer: 'bare dns-packet', run: () => ask('dns-packet') },
      ...(blackbox
        ? [
            {
              peer: 'blackbox_exporter',
              aim: '> 1',
              run: () => blackbox.probe('dns', target, QUESTIONS, CONCURRENCY),
            },
          ]
        : []),
    ];
    const rounds: ProbeLoopTimes[][] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const took: ProbeLoopTimes[] = [];
      for (const { run } of contenders) took.push(await run());
      // The first round is a warm-up.
      if (round > 0) rounds.push(took);
    }
    const rate = (took: readonly ProbeLoopTimes[], index: number): number =>
      (QUESTIONS / (took[index] as ProbeLoopTimes).cpu) * 1_000;
    const rateOf = (index: number): string => perSecond(median(rounds.map((took) => rate(took, index))), 1_000);
    const wall = median(rounds.map(([ours]) => (ours as ProbeLoopTimes).wall));
    return contenders.slice(1).map(({ peer, aim }: { peer: string; aim?: string }, index) => ({
      what: `queries to a name server over UDP (${perSecond(QUESTIONS, wall)} by the clock)`,
      figure: `${rateOf(0)} of CPU`,
      peer: `${peer} ${rateOf(index + 1)} of CPU`,
      ratio: median(rounds.map((took) => rate(took, 0) / rate(took, index + 1))),
      ...(aim !== undefined && { aim }),
    }));
  } finally {
    await blackbox?.stop();
    await prober.stop();
    await server.stop();
    authority.close();
  }
};
