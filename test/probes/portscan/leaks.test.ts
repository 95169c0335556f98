import { suite } from 'uvu';
import { handles, manyEndedEarly, manyTimes, noMoreThan } from '../handles.ts';
import type { TestRunOptions } from '../run-context.ts';
import { probe } from './probing.ts';
import { createStandIn, nmapOutput, report, type Script } from './stand-in.ts';

const leaks = suite('open handles after portscan checks');

const nmap = createStandIn();
leaks.after(() => {
  nmap.close();
});

const open = nmap.file('found', nmapOutput({ 22: 'open   ssh' }));
const expected: TestRunOptions = { parameters: { assertions: { expected_open_ports: [1] } } };

const PROGRAMS: readonly [string, Script, TestRunOptions][] = [
  [
    'portscans whose assertions fail leave no handles open',
    { finding: open, closer: nmap.file('report', report([{ port: 22 }])) },
    expected,
  ],
  ['portscans in which nmap crashes leave no handles open', { finding: 'echo no >&2; kill -SEGV $$' }, {}],
];

for (const [name, script, given] of PROGRAMS) {
  leaks(name, async () => {
    nmap.does(script);
    const before = handles();
    await manyTimes(() => probe('127.0.0.1', given).catch(() => undefined));
    await noMoreThan(before);
  });
}

leaks('portscans of refused or unknown targets leave no handles open', async () => {
  const before = handles();
  await manyTimes(() => probe('169.254.169.254'));
  await manyTimes(() => probe('nowhere.test'));
  await noMoreThan(before);
});

leaks('aborted portscans leave no handles open', async () => {
  nmap.does({ finding: 'exec sleep 100' });
  const before = handles();
  await manyEndedEarly((signal) => probe('127.0.0.1', { signal }));
  await noMoreThan(before);
});

leaks.run();
