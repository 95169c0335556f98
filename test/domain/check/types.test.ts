import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { incompleteFields, withOneTarget } from '../../../domain/check/definition.ts';
import { timeLimitOf } from '../../../domain/check/run.ts';
import { fieldOf, sealedPositions } from '../../../domain/check/sealing.ts';
import { CHECK_TYPE_NAMES, CHECK_TYPES, checkTypeOf, isCheckType } from '../../../domain/check/types/index.ts';
import { creditsOf } from '../../../domain/credits/costs.ts';

const types = suite('the types of checks');

types('each check type has a unique name', () => {
  assert.is(new Set(CHECK_TYPE_NAMES).size, CHECK_TYPES.length);
  for (const name of CHECK_TYPE_NAMES) assert.is(checkTypeOf(name).name, name);
});

types('the parameters of each check type include its required parameters', () => {
  for (const { parameters, requiredParameters } of CHECK_TYPES)
    for (const name of requiredParameters) assert.ok(name in parameters.properties, name);
});

types('check types list the programs they need', () => {
  const needing = CHECK_TYPES.filter(({ tools }) => tools.length > 0);
  assert.equal(Object.fromEntries(needing.map(({ name, tools }) => [name, tools])), {
    portscan: ['nmap'],
    icmp: ['fping'],
  });
});

const definition = { timeout: 200, host: 'shop.example', url: 'https://shop.example/', port: 1, parameters: {} };

types('a check of a type from another release keeps all fields', () => {
  assert.not.ok(isCheckType('carrier-pigeon'));
  assert.equal(withOneTarget('carrier-pigeon', definition), definition);
  assert.is(creditsOf('carrier-pigeon'), 1);
  assert.is(timeLimitOf({ type: 'carrier-pigeon', timeout: 1.5, parameters: {} }), 1_500);
});

types('in a check of a type from another release, every text that any known type seals is sealed', () => {
  const parameters = { http_request: { password: 'p' }, send_text: 'hello' };
  assert.equal(sealedPositions(parameters, 'carrier-pigeon'), sealedPositions(parameters, null));
  assert.equal(sealedPositions(parameters, null).map(fieldOf), [
    'parameters.http_request.password',
    'parameters.send_text',
  ]);
});

types('inherited property names such as `toString` are not check types', () => {
  for (const name of ['constructor', 'toString', '__proto__']) assert.not.ok(isCheckType(name));
});

types('the time limit of a port scan is its host_timeout, whatever the timeout of the check is', () => {
  const scan = (parameters: Record<string, unknown>) => timeLimitOf({ type: 'portscan', timeout: 1, parameters });
  assert.is(scan({}), 300_000);
  assert.is(scan({ host_timeout: '90s' }), 90_000);
  assert.is(scan({ host_timeout: '5h' }), 600_000);
});

types('all problems of a definition are listed in one error', () => {
  const nothing = { timeout: 31, host: null, url: null, port: null, parameters: {} };
  assert.equal(Object.keys(incompleteFields('tcp', nothing)), ['host', 'port', 'timeout']);
  assert.equal(Object.keys(incompleteFields('synthetic', nothing)), ['parameters.pw_script']);
  assert.equal(incompleteFields('ssl', { ...nothing, timeout: 30, host: 'shop.example' }), {});
});

types.run();
