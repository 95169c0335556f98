import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionKey } from '../../../domain/check/definition-key.ts';

const keying = suite('the key of a definition');

const web = {
  type: 'web',
  url: 'https://shop.example/',
  host: null,
  port: null,
  timeout: 10,
  parameters: { regions: ['RU, Moscow'], http_request: { method: 'GET' } },
};

keying('a definition key is short, and is equal for equal definitions whatever the order of their fields', () => {
  const { parameters, ...rest } = web;
  const again = { parameters: { http_request: parameters.http_request, regions: parameters.regions }, ...rest };
  assert.match(definitionKey(web), /^[a-z0-9]{8}$/);
  assert.is(definitionKey(again), definitionKey(web));
});

keying('a definition key depends on type, target and parameters', () => {
  const others = [
    { ...web, type: 'api' },
    { ...web, url: 'https://shop.example/basket' },
    { ...web, url: null, host: 'shop.example' },
    { ...web, port: 8443 },
    { ...web, parameters: {} },
  ];
  assert.is(new Set([web, ...others].map(definitionKey)).size, 1 + others.length);
});

keying('a definition key does not depend on the timeout', () => {
  const shorter = { ...web, timeout: 3 };
  assert.is(definitionKey(shorter), definitionKey(web));
});

keying.run();
