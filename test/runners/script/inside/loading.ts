import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Forwarder, ForwarderModule } from '../../../../runners/script/inside/forwarder.cts';
import type { ModulesModule } from '../../../../runners/script/inside/modules.cts';
import { inProject } from '../../../project.ts';

/** What runs inside a sandbox runs as it was built. */
export const INSIDE = pathToFileURL(inProject('dist/runners/script/inside/'));

const load = createRequire(INSIDE);

export const modules = load('./modules.cjs') as ModulesModule;

export const forwarderTo = (path: string): Promise<Forwarder> =>
  (load('./forwarder.cjs') as ForwarderModule).startForwarder(path);
