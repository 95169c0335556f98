/** Runs the service in a separate process, with checks that end immediately, or fills a data directory with checks. */
import { pino } from 'pino';
import { createShutdown } from '../../service/shutdown.ts';
import { readConfig } from '../../service/config/config.ts';
import { openEmbedded } from '../../service/embedded/open.ts';
import { EVERYTHING } from '../../service/plan.ts';
import { startService } from '../../service/service.ts';
import { createTroubleLog } from '../../service/trouble-log.ts';
import { commandContext } from '../../commands/engine/context.ts';
import { createHandle } from '../../commands/engine/handle.ts';
import { createCheck } from '../../domain/check/decide.ts';
import type { CheckEvent } from '../../domain/check/events.ts';
import { checkDecider } from '../../domain/check/state.ts';
import { derivedId } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { systemClock } from '../../network/clock.ts';
import { launchScripts } from '../../service/run/script-processes.ts';
import { launch } from '../../runners/processes/launch.ts';
import { BENCH_KEY, ORGANIZATION } from '../tools/result-samples.ts';

export type SchedulerTask =
  { task: 'fill'; folder: string; checks: number; interval: number } | { task: 'serve'; folder: string };

const AT_ONCE = 500;
const logger = pino({ level: 'error' }, pino.destination(2));

/** Creates checks that have been up since yesterday, so that each of them runs at its regular slots. */
const fill = async (folder: string, checks: number, interval: number): Promise<void> => {
  const closing = createShutdown((name, error) => {
    console.error(name, error);
  });
  const { main } = await openEmbedded(readConfig({ DATA_DIR: folder }), {
    logger,
    troubles: createTroubleLog(logger, systemClock),
    closing,
  });
  const handle = createHandle({ store: main, clock: Date.now, cacheSize: 1 });
  const yesterday = instantOf(Date.now() - 86_400_000);
  const create = async (index: number): Promise<void> => {
    const id = derivedId(`check ${index}`);
    const context = commandContext({
      actor: { kind: 'system', id: 'bench', role: null },
      organizationId: ORGANIZATION,
      correlationId: id,
      commandId: `create ${id}`,
      repeatable: false,
      now: yesterday,
    });
    const target = { url: 'https://shop.example/', host: null, port: null };
    const settings = {
      name: `Shop ${index}`,
      active: true,
      interval,
      timeout: 10,
      parameters: {},
      ...target,
    };
    const run = { result_id: derivedId(`result of ${id}`), run_id: derivedId(`run of ${id}`) };
    await handle(
      id,
      checkDecider,
      (check): CheckEvent[] => [
        createCheck(check, id, ORGANIZATION, { type: 'web', ...settings }),
        { type: 'CheckCameUp', data: { check_id: id, ...run, slot: yesterday, region: 'RU, Moscow', at: yesterday } },
      ],
      context,
    );
  };
  for (let first = 0; first < checks; first += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, checks - first) }, (_, offset) => create(first + offset)));
  }
  await closing.close();
};

let stop: () => Promise<void> = async () => undefined;

const serve = async (folder: string): Promise<string> => {
  const config = readConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'warn', ADMIN_API_KEY: BENCH_KEY });
  const service = await startService(config, logger, {
    ...EVERYTHING,
    types: ['web'],
    launchProbes: () => launch('./instant-process', import.meta.url),
    launchScripts,
  });
  stop = service.stop;
  return service.address;
};

process.on('message', (asked: SchedulerTask) => {
  void (async () => {
    if (asked.task === 'serve') process.send?.(await serve(asked.folder));
    else {
      await fill(asked.folder, asked.checks, asked.interval);
      process.send?.('filled');
    }
  })();
});
process.once('disconnect', () => {
  void stop().then(() => process.exit());
});
process.send?.('ready');
