import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunDefinition } from '../../../domain/check/run.ts';
import { openDefinition } from '../../../runners/worker/open-definition.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';

const opening = suite('opening the definition of a run');

const requested = async (given: Partial<RunDefinition>) => {
  const definition = {
    type: 'ssl',
    url: null,
    host: 'shop.example',
    port: null,
    timeout: 10,
    parameters: {},
    ...given,
  };
  return openDefinition('o1o2o3o4o5o6', definition, createMemoryKeys(), {});
};

opening('an opened definition has the default port of its type if it names no port', async () => {
  assert.is((await requested({})).port, 443);
  assert.is((await requested({ port: 8443 })).port, 8443);
});

opening('an opened definition has no port if its type has no default', async () => {
  assert.is((await requested({ type: 'dns' })).port, null);
});

opening.run();
