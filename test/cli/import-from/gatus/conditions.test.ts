import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchesPattern, parseCondition } from '../../../../cli/import-from/gatus/conditions.ts';
import { jsonPathFrom } from '../../../../cli/import-from/gatus/json-assertion.ts';
import { importEndpoint, parametersFor } from './reading.ts';

const test = suite('conditions of Gatus');

const assertionsFor = (...conditions: readonly string[]): unknown => {
  const assertions = parametersFor(...conditions)['assertions'] as object;
  return Object.fromEntries(Object.entries(assertions).filter(([name]) => name !== 'status_codes'));
};
const codesFor = (...conditions: readonly string[]): unknown =>
  (parametersFor(...conditions)['assertions'] as Record<string, unknown>)['status_codes'];

test('conditions on the status become the codes for which all of them hold', () => {
  assert.equal(codesFor('[STATUS] == 200'), [200]);
  assert.equal(codesFor('[STATUS] < 300'), ['100-299']);
  assert.equal(codesFor('[STATUS] >= 200', '[STATUS] <= 299', '[STATUS] != 204'), ['200-203', '205-299']);
  assert.equal(codesFor('[STATUS] == any(200, 429)'), [200, 429]);
  assert.equal(codesFor('[STATUS] == pat(2*)'), ['200-299']);
  assert.equal(codesFor('300 > [STATUS]'), ['100-299']);
  assert.equal(codesFor('[status] == 200'), [200]);
});

test('an endpoint without a condition on the status accepts every status', () => {
  assert.equal(codesFor('[CONNECTED] == true'), ['100-599']);
});

test('conditions on the status that contradict each other are reported', () => {
  const { checks, unmapped } = importEndpoint(
    'url: https://example.com/',
    'conditions: ["[STATUS] == 200", "[STATUS] == 201"]',
  );
  assert.equal((checks[0]?.['parameters'] as Record<string, unknown>)['assertions'], {});
  assert.is(unmapped.length, 2);
});

test('a limit of the response time becomes an assertion of a web check', () => {
  assert.equal(assertionsFor('[RESPONSE_TIME] < 500', '[RESPONSE_TIME] <= 2s'), { max_response_time: 500 });
});

test('the validity of the certificate becomes whole days, rounded up', () => {
  assert.equal(assertionsFor('[CERTIFICATE_EXPIRATION] > 48h'), { min_certificate_days: 2 });
  assert.equal(assertionsFor('[CERTIFICATE_EXPIRATION] >= 50h', '[CERTIFICATE_EXPIRATION] > 1h'), {
    min_certificate_days: 3,
  });
});

test('conditions on values of the body become assertions on JSON', () => {
  const json = (condition: string): unknown => (assertionsFor(condition) as { json: unknown[] }).json[0];
  assert.equal(json('[BODY].status == UP'), { path: '$.status', operator: 'equals', value: 'UP' });
  assert.equal(json('[BODY].count == 5'), { path: '$.count', operator: 'equals', value: 5 });
  assert.equal(json('[BODY].ok == true'), { path: '$.ok', operator: 'equals', value: true });
  assert.equal(json('[BODY][0].id != 1'), { path: '$[0].id', operator: 'not_equals', value: 1 });
  assert.equal(json('[BODY].age > 18'), { path: '$.age', operator: 'greater_than', value: 18 });
  assert.equal(json('[BODY].age >= 18'), { path: '$[?$.age >= 18]', operator: 'exists' });
  assert.equal(json('[BODY].items[*].state == up'), { path: '$.items[*].state', operator: 'equals', value: 'up' });
  assert.equal(json('[BODY].name == pat(*john*)'), { path: '$.name', operator: 'contains', value: 'john' });
  assert.equal(json('[BODY].a == any(x, 5)'), {
    path: "$[?$.a == 'x' || $.a == 5 || $.a == '5']",
    operator: 'exists',
  });
  assert.equal(json('has([BODY].errors) == false'), { path: '$.errors', operator: 'not_exists' });
  assert.equal(json('len([BODY].data) > 2'), { path: '$[?length($.data) > 2]', operator: 'exists' });
  assert.equal(json('len([BODY]) == 0'), { path: '$[*]', operator: 'not_exists' });
});

test('conditions on the whole body become a searched text', () => {
  assert.is(parametersFor('[BODY] == pat(*ready*)')['search_text'], 'ready');
  assert.is(parametersFor('[BODY] == OK')['search_text'], 'OK');
  assert.equal(assertionsFor('[BODY] != pat(*error*)'), { search_text_absent: 'error' });
});

test('conditions on headers become assertions on headers', () => {
  assert.equal(
    assertionsFor('[HEADER].Server == nginx', '[HEADER].Vary == pat(*Accept*)', 'has([HEADER].X-Debug) == false'),
    { headers: { server: 'nginx', vary: { contains: 'Accept' }, 'x-debug': null } },
  );
});

test('a condition without an equivalent is reported with the closest one', () => {
  const conditions = [
    'age([BODY].updated_at) < 1h',
    '[BODY] == any(a, b)',
    '[BODY].a != pat(*x*)',
    '[CONNECTED] == false',
    '[RESPONSE_TIME] > 10',
    '[CONTEXT].token == a',
    'something else',
  ];
  for (const condition of conditions) {
    const { unmapped } = importEndpoint('url: https://example.com/', `conditions: [${JSON.stringify(condition)}]`);
    assert.is(unmapped.length, 1, condition);
    assert.ok(unmapped[0]?.includes(condition), unmapped[0]);
    assert.match(unmapped[0] ?? '', /^The endpoint "a" has the condition ".*", which has no equivalent; .+\.$/);
  }
});

test('a weaker requirement than that of the condition is reported', () => {
  for (const condition of ['[BODY] == OK', '[BODY] == pat(*a*b*)', '[BODY].a == pat(x*)'])
    assert.is(
      importEndpoint('url: https://example.com/', `conditions: [${JSON.stringify(condition)}]`).unmapped.length,
      1,
    );
});

test('the operator that Gatus looks for first separates a condition', () => {
  assert.equal(parseCondition('[BODY].a == x < y')?.operand, { kind: 'text', text: 'x < y' });
  assert.is(parseCondition('[STATUS]==200'), null);
});

test('names in a path that are no identifiers are quoted', () => {
  assert.is(jsonPathFrom("data[1].it's.x-y"), "$.data[1]['it\\'s']['x-y']");
  assert.is(jsonPathFrom(''), '$');
});

test('a pattern with many stars is matched in linear time', () => {
  assert.is(matchesPattern('a'.repeat(5_000), `${'*a'.repeat(2_000)}*b`), false);
  assert.is(matchesPattern('ready or not', 'r?ady*not'), true);
});

test.run();
