import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jsonPathOf } from '../../../domain/check/types/json-path.ts';

const test = suite('the JSON paths of assertions');

const DOCUMENT = {
  status: 'ok',
  'odd name': 1,
  list: [
    { name: 'db', healthy: true, load: 0.5 },
    { name: 'cache', healthy: false, load: 2 },
  ],
  limit: 1,
};

const found = (path: string): unknown[] => [...(jsonPathOf(path)?.(DOCUMENT) ?? ['refused'])];

test('the JSON paths of assertions follow RFC 9535', () => {
  const cases: [string, unknown[]][] = [
    ['$', [DOCUMENT]],
    ['$.status', ['ok']],
    ["$['odd name']", [1]],
    ['$.list[0].name', ['db']],
    ['$.list[-1].name', ['cache']],
    ['$.list[*].load', [0.5, 2]],
    ['$..healthy', [true, false]],
    ["$.list[?@.name == 'db'].healthy", [true]],
    ['$.list[?@.load > $.limit && !@.missing && @.name].name', ['cache']],
    ['$.list[?length(@.name) == 2].name', ['db']],
    ['$.list[?count(@.*) == 3].name', ['db', 'cache']],
    ['$.list[0:1].name', ['db']],
    ['$.missing', []],
    ['$.status.deeper', []],
  ];
  for (const [path, values] of cases) assert.equal(found(path), values, path);
});

test('JSON paths that are invalid or could overload a runner are refused', () => {
  for (const path of [
    '',
    'status',
    '$.',
    '$.list[',
    '$.list[?@.name]extra',
    "$.list[?match(@.name, '(a+)+')]",
    "$.list[?search(@.name, 'a')]",
    '$.list[?run(@.name)]',
    `$.${'a'.repeat(500)}`,
    '$..a..b',
    '$.list[?@..a].b[?@..c]',
    '$[*][*][*][*][*][*][*][*][*]',
    '$[0,0,0,0,0,0,0,0,0]',
    '$.list[?$.list[*]]',
    '$.list[?count($..*) > 1]',
    '$.list[?@[?@[?$..a]]]',
  ])
    assert.is(jsonPathOf(path), null, path);
});

test('JSON paths execute no code', () => {
  for (const path of ['$[(process.exit(1))]', '$[?(process.exit(1))]', '$.constructor.constructor', '$.__proto__'])
    assert.equal([...(jsonPathOf(path)?.(DOCUMENT) ?? [])], [], path);
});

test.run();
