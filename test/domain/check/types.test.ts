import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { incompleteFields, withOneTarget } from '../../../domain/check/definition.ts';
import { timeLimitOf } from '../../../domain/check/run.ts';
import { fieldOf, sealedPlaces } from '../../../domain/check/sealing.ts';
import { CHECK_TYPE_NAMES, CHECK_TYPES, checkTypeOf, isCheckType } from '../../../domain/check/types/index.ts';
import { creditsOf } from '../../../domain/credits/charges.ts';

const types = suite('the types of checks');

types('have a name each', () => {
  assert.is(new Set(CHECK_TYPE_NAMES).size, CHECK_TYPES.length);
  for (const name of CHECK_TYPE_NAMES) assert.is(checkTypeOf(name).name, name);
});

types('take their parameters as they are named in what a definition must have', () => {
  for (const { parameters, requiredParameters } of CHECK_TYPES)
    for (const name of requiredParameters) assert.ok(name in parameters.properties, name);
});

types('name the programs that they need', () => {
  const needing = CHECK_TYPES.filter(({ tools }) => tools.length > 0);
  assert.equal(Object.fromEntries(needing.map(({ name, tools }) => [name, tools])), {
    portscan: ['nmap'],
    icmp: ['fping'],
  });
});

const definition = { timeout: 200, host: 'shop.example', url: 'https://shop.example/', port: 1, parameters: {} };

types('of another release keep all that a check has', () => {
  assert.not.ok(isCheckType('carrier-pigeon'));
  assert.equal(withOneTarget('carrier-pigeon', definition), definition);
  assert.is(creditsOf('carrier-pigeon'), 1);
  assert.is(timeLimitOf({ type: 'carrier-pigeon', timeout: 1.5, parameters: {} }), 1_500);
});

types('of another release have every text sealed that any type has sealed', () => {
  const parameters = { http_request: { password: 'p' }, send_text: 'hello' };
  assert.equal(sealedPlaces(parameters, 'carrier-pigeon'), sealedPlaces(parameters, null));
  assert.equal(sealedPlaces(parameters, null).map(fieldOf), [
    'parameters.http_request.password',
    'parameters.send_text',
  ]);
});

types('are not what every object has', () => {
  for (const name of ['constructor', 'toString', '__proto__']) assert.not.ok(isCheckType(name));
});

types('let a portscan take as long as it says', () => {
  const scan = (parameters: Record<string, unknown>) => timeLimitOf({ type: 'portscan', timeout: 1, parameters });
  assert.is(scan({}), 300_000);
  assert.is(scan({ host_timeout: '90s' }), 90_000);
  assert.is(scan({ host_timeout: '5h' }), 600_000);
});

types('tell all that a definition lacks at once', () => {
  const nothing = { timeout: 31, host: null, url: null, port: null, parameters: {} };
  assert.equal(Object.keys(incompleteFields('tcp', nothing)), ['host', 'port', 'timeout']);
  assert.equal(Object.keys(incompleteFields('synthetic', nothing)), ['parameters.pw_script']);
  assert.equal(incompleteFields('ssl', { ...nothing, timeout: 30, host: 'shop.example' }), {});
});

types.run();
