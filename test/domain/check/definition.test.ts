import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireComplete, requireRunnable } from '../../../domain/check/definition.ts';
import type { CheckTypeName } from '../../../domain/check/events.ts';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import {
  defaultRegionOf,
  REGIONS,
  regionOf,
  regionsOf,
  type LiveRunners,
  type Region,
} from '../../../domain/check/regions.ts';
import { IllegalState, type Invalid } from '../../../domain/errors.ts';
import { rejects } from '../../rejects.ts';
import { newCheck, ORGANIZATION } from './examples.ts';

const region = (name: string): Region => {
  const found = regionOf(name);
  if (!found) throw new Error(`There is no region ${name}.`);
  return found;
};
const moscow = region('RU, Moscow');
const mumbai = region('IN, Mumbai');

const errorsOf = (type: CheckTypeName, fields: Parameters<typeof newCheck>[0]): unknown => {
  try {
    requireComplete(type, newCheck({ url: null, ...fields }));
  } catch (error) {
    return (error as Invalid).errors.json;
  }
  return {};
};

const definitions = suite('the definition of a check');

definitions('a definition names all missing fields that its type requires', () => {
  const missing = ['Missing required field.'];
  const asked: Record<CheckTypeName, object> = {
    web: { url: missing },
    api: { url: missing },
    tcp: { host: missing, port: missing },
    ssl: { host: missing },
    icmp: { host: missing },
    dns: { host: missing },
    portscan: { host: missing },
    multistep: { 'parameters.pw_script': missing },
    synthetic: { 'parameters.pw_script': missing },
  };
  for (const type of CHECK_TYPE_NAMES) assert.equal(errorsOf(type, {}), asked[type], type);
});

definitions('a definition with the required fields of its type is complete', () => {
  assert.equal(errorsOf('web', { url: 'https://shop.example/' }), {});
  assert.equal(errorsOf('tcp', { host: 'shop.example', port: 80 }), {});
  assert.equal(errorsOf('ssl', { host: 'shop.example' }), {});
  assert.equal(errorsOf('synthetic', { timeout: 120, parameters: { pw_script: 'test()' } }), {});
});

definitions('the default timeout of a definition depends on its type', () => {
  assert.equal(errorsOf('ssl', { host: 'shop.example', timeout: 31 }), {
    timeout: ['Must be less than or equal to 30.'],
  });
  assert.equal(errorsOf('multistep', { timeout: 31, parameters: { pw_script: 'test()' } }), {
    timeout: ['Must be less than or equal to 30.'],
  });
});

definitions("a definition can't search text in the response to a HEAD request, which has no body", () => {
  const asked = (type: CheckTypeName, method: string | undefined, search_text?: string) =>
    errorsOf(type, {
      url: 'https://shop.example/',
      parameters: { http_request: { method }, ...(search_text !== undefined && { search_text }) },
    });
  const refused = { 'parameters.search_text': ["Can't be searched: the response to a HEAD request has no body."] };
  assert.equal(asked('web', 'HEAD', 'ok'), refused);
  assert.equal(asked('api', 'HEAD', 'ok'), refused);
  for (const text of [undefined, '']) assert.equal(asked('web', 'HEAD', text), {});
  const asserted = (assertions: object) =>
    errorsOf('web', { url: 'https://shop.example/', parameters: { http_request: { method: 'HEAD' }, assertions } });
  assert.equal(asserted({ status_codes: [200], search_text_absent: '', json: [] }), {});
  assert.equal(Object.keys(asserted({ search_text_absent: 'x', json: [{ path: '$' }] }) as object), [
    'parameters.assertions.search_text_absent',
    'parameters.assertions.json',
  ]);
  for (const method of ['GET', 'OPTIONS', undefined]) assert.equal(asked('web', method, 'ok'), {});
});

definitions("a definition can't select more random regions than it names, counting aliases of a region once", () => {
  const random = (count: number | undefined, regions: string[]) =>
    errorsOf('web', {
      url: 'https://shop.example/',
      parameters: {
        regions,
        multi_region_execution: { enabled: false, execution_mode: 'random_n', ...(count && { count }) },
      },
    });
  const field = 'parameters.multi_region_execution.count';
  assert.equal(random(2, ['EU, West', 'in-mum1']), {});
  assert.equal(random(undefined, ['EU, West']), { [field]: ['Missing required field.'] });
  assert.equal(random(2, ['EU, West', 'eu-bel1']), {
    [field]: ['Must be less than or equal to 1, the number of regions.'],
  });
  assert.equal(random(1, []), {}, 'without a name, the default region');
});

const runners = (abilities: Record<string, CheckTypeName[]>): LiveRunners => ({
  defaultRegion: moscow,
  abilities: async () => new Map(Object.entries(abilities)),
});

definitions('a definition is accepted if its region can run its type', async () => {
  const live = runners({ 'RU, Moscow': ['web'], 'IN, Mumbai': ['web', 'tcp'] });
  await requireRunnable('web', {}, live, ORGANIZATION);
  await requireRunnable('tcp', { regions: ['asia-south1'] }, live, ORGANIZATION);
  await rejects(
    requireRunnable('tcp', {}, live, ORGANIZATION),
    IllegalState,
    'Checks of type tcp can\'t be run in region "RU, Moscow".',
  );
  await rejects(
    requireRunnable('web', { regions: ['IN, Mumbai', 'eu-west1'] }, live, ORGANIZATION),
    IllegalState,
    /"EU, West"/,
  );
  await rejects(
    requireRunnable('web', { regions: ['mars'] }, live, ORGANIZATION),
    IllegalState,
    'There is no region "mars".',
  );
});

definitions(
  'a definition names regions by ID or alias without duplicates, and gets the default region if it names no region',
  () => {
    assert.equal(regionsOf({}, mumbai), [mumbai]);
    assert.equal(regionsOf({ regions: [] }, mumbai), [mumbai]);
    assert.equal(regionsOf({ regions: ['in-mum1', 'RU, Moscow', 'IN, Mumbai'] }, moscow), [mumbai, moscow]);
  },
);

definitions('the default region is Moscow, or the first region with runners if Moscow has none', () => {
  assert.is(defaultRegionOf(REGIONS), moscow);
  assert.is(defaultRegionOf([mumbai, moscow]), moscow);
  assert.is(defaultRegionOf([mumbai]), mumbai);
  assert.is(defaultRegionOf([]), moscow);
});

definitions('the names of regions are unique', () => {
  const names = REGIONS.flatMap(({ id, aliases }) => [id, ...aliases]);
  assert.is(new Set(names).size, names.length);
  // The first alias is part of stream names. The category of a stream ends at the first dash of its name, so the alias
  // may contain dashes.
  for (const { aliases } of REGIONS) assert.match(aliases[0], /^[a-z0-9-]+$/);
});

definitions.run();
