/**
 * Compares icmp checks of a thousand addresses of this machine, due at the same time, with blackbox_exporter if it is
 * installed. The figure is the number of checks per second of CPU time of all processes, that is, the rate that one
 * core can sustain.
 */
import { spawnSync } from 'node:child_process';
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startBlackbox } from '../tools/blackbox.ts';
import { startChild } from '../tools/child.ts';
import type { IcmpLoopTask, IcmpLoopResult } from './icmp-loop.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, perSecond, type Row } from '../tools/table.ts';

const AT_ONCE = 1_000;
const CHECKS = AT_ONCE * sizeOf('ICMP_THOUSANDS', 5);
const ROUNDS = sizeOf('ICMP_ROUNDS', 5);
const CONCURRENCY = 50;

export const bench = async (): Promise<Row[]> => {
  if (spawnSync('fping', ['-v']).status !== 0) {
    console.error('skipped: fping is not installed');
    return [];
  }
  const authority = createAuthority();
  const blackbox = await startBlackbox(authority.file('root.crt'));
  const prober = await startChild('checks/icmp-loop', { greets: true });
  try {
    const own = async (): Promise<IcmpLoopResult> =>
      (await prober.ask({ checks: CHECKS, atOnce: AT_ONCE } satisfies IcmpLoopTask)) as IcmpLoopResult;
    const rate = ({ cpu }: { cpu: number }): number => (CHECKS / cpu) * 1_000;
    const rounds: { ours: IcmpLoopResult; theirs: number | null }[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const ours = await own();
      const theirs = blackbox && rate(await blackbox.probe('icmp', '127.0.0.1', CHECKS, CONCURRENCY));
      // The first round is a warm-up.
      if (round > 0) rounds.push({ ours, theirs });
    }
    const walls = rounds.map(({ ours }) => ours.wall);
    const compared = rounds.flatMap(({ ours, theirs }) => (theirs === null ? [] : [{ ours: rate(ours), theirs }]));
    return [
      {
        what: `icmp checks, ${AT_ONCE.toLocaleString('en')} due together (${perSecond(CHECKS, median(walls))} by the clock)`,
        figure: `${perSecond(median(rounds.map(({ ours }) => rate(ours))), 1_000)} of CPU`,
        ...(compared.length > 0 && {
          peer: `blackbox_exporter ${perSecond(median(compared.map(({ theirs }) => theirs)), 1_000)} of CPU`,
          ratio: median(compared.map(({ ours, theirs }) => ours / theirs)),
          aim: '> 1',
        }),
      },
      {
        what: `processes for ${AT_ONCE.toLocaleString('en')} icmp checks due together`,
        figure: Math.ceil(median(rounds.map(({ ours }) => (ours.processes / CHECKS) * AT_ONCE))).toString(),
        aim: '< 1,000',
      },
    ];
  } finally {
    await prober.stop();
    await blackbox?.stop();
    authority.close();
  }
};
