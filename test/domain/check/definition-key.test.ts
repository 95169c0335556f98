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

keying('is short and the same for the same definition, whatever the order of its fields', () => {
  const { parameters, ...rest } = web;
  const again = { parameters: { http_request: parameters.http_request, regions: parameters.regions }, ...rest };
  assert.match(definitionKey(web), /^[a-z0-9]{8}$/);
  assert.is(definitionKey(again), definitionKey(web));
});

keying('changes with the type, the target and the parameters', () => {
  const others = [
    { ...web, type: 'api' },
    { ...web, url: 'https://shop.example/basket' },
    { ...web, url: null, host: 'shop.example' },
    { ...web, port: 8443 },
    { ...web, parameters: {} },
  ];
  assert.is(new Set([web, ...others].map(definitionKey)).size, 1 + others.length);
});

keying('does not change with the time limit', () => {
  const shorter = { ...web, timeout: 3 };
  assert.is(definitionKey(shorter), definitionKey(web));
});

keying.run();
