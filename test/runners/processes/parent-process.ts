/** Starts a probe process whose main thread is blocked for ever, and prints its pid. */
import { systemClock } from '../../../network/clock.ts';
import { launch } from '../../../runners/processes/launch.ts';
import { NOTHING_RESERVED } from '../../network/nothing-reserved.ts';
import { NO_REGISTRIES } from '../../probes/run-context.ts';
import { createProbeProcesses } from '../../../runners/processes/pool.ts';

const probes = createProbeProcesses({
  types: ['web'],
  launch: () => launch('./wild-process', import.meta.url),
  settings: { rules: { policy: 'internal' }, reserved: NOTHING_RESERVED, trust: [], registries: NO_REGISTRIES },
  most: 1,
  clock: systemClock,
});
const run = (deed: string) =>
  probes.run(
    { type: 'web', url: `http://127.0.0.1/${deed}`, host: null, port: null, timeout: 30, parameters: {}, secrets: {} },
    { signal: new AbortController().signal, fresh: false, about: deed },
  );
const { check_metadata } = await run('well');
void run('loop');
process.send?.(check_metadata['pid']);
