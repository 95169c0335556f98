import { createRequire } from 'node:module';
import type { Forwarder, ForwarderModule } from '../../../../runners/script/inside/forwarder.cts';
import type { ModulesModule } from '../../../../runners/script/inside/modules.cts';

/** What runs inside a sandbox runs as it was built. */
export const INSIDE = new URL('../../../../dist/runners/script/inside/', import.meta.url);

const load = createRequire(INSIDE);

export const modules = load('./modules.cjs') as ModulesModule;

export const forwarderTo = (path: string): Promise<Forwarder> =>
  (load('./forwarder.cjs') as ForwarderModule).startForwarder(path);
