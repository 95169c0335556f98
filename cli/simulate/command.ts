import { retainedFrom } from '../../domain/retention.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { readRetention } from '../../projections/engine/fold/retention.ts';
import { openCoordination, openLog, siteOf } from '../../service/stores.ts';
import { openConfiguredReadModels } from '../read-models.ts';
import { writeSimulation, type SimulateOptions } from './simulate.ts';

/** `uptrail simulate rule`: simulates a rule in the configured deployment. @throws OperatorError */
export const runSimulateRule = async (config: Config, options: SimulateOptions, output: Output): Promise<void> => {
  const site = siteOf(config);
  const models = await openConfiguredReadModels(config);
  const main = await openLog(site, 'main', 'reader');
  const coordination = await openCoordination(site);
  try {
    const retention = await readRetention(coordination);
    const resultsFrom = retention?.from ?? retainedFrom(Date.now(), config.resultRetentionDays);
    await writeSimulation(options, { read: models.read, main, resultsFrom, clock: Date.now }, output);
  } finally {
    await Promise.all([models, main, coordination].map((store) => store.close()));
  }
};
