import { REACTORS_HALTED } from '../stores/coordination/port.ts';
import type { Config } from './config.ts';
import { existingDataDirectory } from './data-directory.ts';
import type { Output } from './output.ts';
import { openCoordination } from './stores.ts';

/** `uptrail reactors resume`: automatic actions, which stop after a restored backup, go on. */
export const resumeReactors = async (config: Config, output: Output): Promise<void> => {
  const coordination = openCoordination(existingDataDirectory(config.dataDir));
  try {
    const reason = await coordination.read(REACTORS_HALTED);
    if (reason) await coordination.write(REACTORS_HALTED, '');
    await output.line(reason ? `Reactors go on. They had stopped because: ${reason}` : 'Reactors were not stopped.');
  } finally {
    await coordination.close();
  }
};
