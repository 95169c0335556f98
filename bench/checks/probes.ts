/**
 * Compares Uptrail's probes of servers on loopback with bare loops that store nothing, and with blackbox_exporter if it
 * is installed. The servers run in another process. The figure is the number of probes per second of CPU time, that is,
 * the rate that one core can sustain. CPU time includes all threads of a process, and does not depend on other load on
 * the machine.
 */
import { createAuthority } from '../../test/probes/web/certificates.ts';
import { startBlackbox, type Blackbox } from '../tools/blackbox.ts';
import { startChild } from '../tools/child.ts';
import type { ProbeLoopTask, Loop, ProbeLoopTimes } from './probe-loop.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, perSecond, type Row } from '../tools/table.ts';

const PROBES = sizeOf('PROBES', 5_000);
const ROUNDS = sizeOf('PROBE_ROUNDS', 5);
const CONCURRENCY = 50;

interface Kind {
  what: string;
  url: (ports: Ports) => string;
  loops: { loop: Loop; peer: string; aim?: string }[];
  /** name of the module in the configuration of blackbox_exporter */
  module: string;
  ahead: string;
}

interface Ports {
  http: number;
  https: number;
  tcp: number;
}

const KINDS: readonly Kind[] = [
  {
    what: 'web probes over HTTP',
    url: ({ http }) => `http://127.0.0.1:${http}/`,
    loops: [
      { loop: 'undici', peer: 'bare undici', aim: '≥ 0.7' },
      { loop: 'node', peer: 'bare node:http' },
    ],
    module: 'http',
    ahead: '≥ 2',
  },
  {
    what: 'web probes over HTTPS',
    url: ({ https }) => `https://127.0.0.1:${https}/`,
    loops: [
      { loop: 'undici', peer: 'bare undici', aim: '≥ 0.7' },
      { loop: 'node', peer: 'bare node:https' },
    ],
    module: 'http',
    ahead: '≥ 1.2',
  },
  {
    what: 'tcp probes',
    url: ({ tcp }) => `tcp://127.0.0.1:${tcp}`,
    loops: [{ loop: 'node', peer: 'bare net.connect', aim: '≥ 0.7' }],
    module: 'tcp',
    ahead: '≥ 2.5',
  },
];

/** Returns the number of probes per second of CPU time. */
const rate = ({ cpu }: ProbeLoopTimes): number => (PROBES / cpu) * 1_000;

/** Runs rounds of all contenders in alternation, because the machine's speed varies. */
const compare = async (
  { what, url, loops, module, ahead }: Kind,
  ask: (task: Pick<ProbeLoopTask, 'loop' | 'url'>) => Promise<ProbeLoopTimes>,
  ports: Ports,
  blackbox: Blackbox | null,
): Promise<Row[]> => {
  const target = url(ports);
  const contenders = [
    { peer: 'uptrail', probe: () => ask({ loop: 'uptrail', url: target }) },
    ...loops.map(({ loop, ...rest }) => ({ ...rest, probe: () => ask({ loop, url: target }) })),
    ...(blackbox
      ? [{ peer: 'blackbox_exporter', aim: ahead, probe: () => blackbox.probe(module, target, PROBES, CONCURRENCY) }]
      : []),
  ];
  const rounds: ProbeLoopTimes[][] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const took: ProbeLoopTimes[] = [];
    for (const { probe } of contenders) took.push(await probe());
    // The first round is a warm-up.
    if (round > 0) rounds.push(took);
  }
  const rateOf = (contender: number): number => median(rounds.map((took) => rate(took[contender] as ProbeLoopTimes)));
  const ratioTo = (contender: number): number =>
    median(rounds.map((took) => rate(took[0] as ProbeLoopTimes) / rate(took[contender] as ProbeLoopTimes)));
  const wall = median(rounds.map(([ours]) => (ours as ProbeLoopTimes).wall));
  return contenders.slice(1).map(({ peer, aim }: { peer: string; aim?: string }, index) => ({
    what: `${what}, results durable (${perSecond(PROBES, wall)} by the clock)`,
    figure: `${perSecond(rateOf(0), 1_000)} of CPU`,
    peer: `${peer} ${perSecond(rateOf(index + 1), 1_000)} of CPU`,
    ratio: ratioTo(index + 1),
    ...(aim !== undefined && { aim }),
  }));
};

export const bench = async (): Promise<Row[]> => {
  const authority = createAuthority();
  const { key, cert } = authority.make('server', { names: 'IP:127.0.0.1' });
  const servers = await startChild('checks/probe-servers');
  const prober = await startChild('checks/probe-loop', { greets: true });
  const blackbox = await startBlackbox(authority.file('root.crt'));
  try {
    const ports = (await servers.ask({ value: { key, cert } })) as Ports;
    const ask = async (task: Pick<ProbeLoopTask, 'loop' | 'url'>): Promise<ProbeLoopTimes> =>
      (await prober.ask({
        ...task,
        trust: authority.root,
        probes: PROBES,
        concurrency: CONCURRENCY,
      })) as ProbeLoopTimes;
    const rows: Row[] = [];
    for (const kind of KINDS) rows.push(...(await compare(kind, ask, ports, blackbox)));
    return rows;
  } finally {
    await blackbox?.stop();
    await prober.stop();
    await servers.stop();
    authority.close();
  }
};
