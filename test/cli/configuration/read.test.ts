import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { objectsOf } from '../../../cli/configuration/objects.ts';
import { replaceVariables } from '../../../cli/configuration/placeholders.ts';
import { combined, readConfigurationFiles } from '../../../cli/configuration/read.ts';
import { parseYaml } from '../../../cli/configuration/yaml-files.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';

const test = suite('configuration files');

const messageOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    assert.instance(error, OperatorError);
    return (error as Error).message;
  }
  throw new Error('No error was thrown.');
};

const read = (text: string, environment: Record<string, string> = {}) =>
  combined(parseYaml(text, 'uptrail.yaml'), environment);

/** Returns the message about an invalid file. */
const problemsOf = (text: string): string =>
  messageOf(() => {
    const { configuration, locate } = read(text);
    return objectsOf(configuration, locate);
  });

test(
  'folders are read in the order of their file names, and the lists of all files are combined',
  inTemporaryFolder(async (folder) => {
    mkdirSync(join(folder, 'uptrail'));
    writeFileSync(join(folder, 'uptrail/b.yml'), 'channels: [{ name: B }]');
    writeFileSync(join(folder, 'uptrail/a.yaml'), 'check_groups: [{ name: A }]\n---\ncheck_groups: [{ name: C }]');
    writeFileSync(join(folder, 'uptrail/notes.txt'), ': no YAML :');
    writeFileSync(join(folder, 'more.yaml'), 'check_groups: [{ name: D }]');
    const { configuration } = readConfigurationFiles([join(folder, 'uptrail'), join(folder, 'more.yaml')], {});
    assert.equal(configuration, {
      check_groups: [{ name: 'A' }, { name: 'C' }, { name: 'D' }],
      channels: [{ name: 'B' }],
    });
    assert.match(
      messageOf(() => readConfigurationFiles([join(folder, 'absent.yaml')], {})),
      'absent.yaml cannot be read: ENOENT',
    );
  }),
);

test('an invalid field is reported with its file, line and path', () => {
  const text = 'checks:\n  - name: Shop\n    type: web\n    url: https://shop.example/\n    interval: 5\n';
  assert.is(problemsOf(text), 'uptrail.yaml:5: checks[0].interval: Must be greater than or equal to 30.');
});

test('an unknown field and an unknown kind are reported', () => {
  assert.match(
    problemsOf('check_groups:\n  - name: A\n    colour: red\n'),
    /^uptrail.yaml:3: check_groups\[0\].colour: The field is unknown/,
  );
  assert.match(problemsOf('check: []'), /^uptrail.yaml:1: check: The field is unknown/);
  assert.is(problemsOf('channels: []\nchecks:\n'), 'uptrail.yaml:2: checks: Must be a list: [] if there are none.');
  assert.match(problemsOf('- a'), /^uptrail.yaml:1: Must have fields such as checks/);
});

test('components are validated below their page', () => {
  const text = 'pages:\n  - name: Acme\n    components:\n      - name: Cart\n        position: 0\n';
  assert.is(problemsOf(text), 'uptrail.yaml:5: pages[0].components[0].position: Must be greater than or equal to 1.');
});

test('a start date with a time is refused, since its day depends on the time zone of the page', () => {
  const text = (date: string): string =>
    `pages:\n  - name: Acme\n    components: [{ name: Cart, start_date: ${date} }]\n`;
  const sentence = 'uptrail.yaml:3: pages[0].components[0].start_date: Must be a date, YYYY-MM-DD.';
  for (const date of ['2026-01-01T23:30:00Z', '2026-02-30', '2026-1-1']) assert.is(problemsOf(text(date)), sentence);
  for (const date of ['2026-01-01', 'null']) {
    const { configuration } = read(text(date));
    assert.is(objectsOf(configuration).length, 2);
  }
});

test('two objects with the same key are reported with both places', () => {
  const text = 'check_groups:\n  - name: A\n  - name: B\n  - name: A\n';
  assert.is(
    problemsOf(text),
    'uptrail.yaml:4: check_groups[2]: Another check group "A" exists. The other one is at uptrail.yaml:2. Give one of them another name.',
  );
});

test('checks with the same name in different groups are different objects', () => {
  const check = (group: string): string => `{ name: Api, group: ${group}, type: icmp, host: a.example, interval: 60 }`;
  const { configuration } = read(`checks: [${check('A')}, ${check('B')}]`);
  assert.is(objectsOf(configuration).length, 2);
});

test('variables are replaced anywhere in a text, and a missing one is an error', () => {
  const { configuration, fromEnvironment } = read('check_groups: [{ name: "${env:A}-x-${env:B}" }]', {
    A: '1',
    B: '2',
  });
  assert.equal(configuration.check_groups, [{ name: '1-x-2' }]);
  assert.equal([...fromEnvironment], ['1-x-2']);
  assert.is(
    problemsOf('check_groups:\n  - name: "${env:ABSENT}"'),
    'uptrail.yaml:2: check_groups[0].name: The environment variable ABSENT is not set.',
  );
  assert.is(replaceVariables('$${env:A}', { A: '1' }).value, '${env:A}');
});

test('invalid YAML is reported with its line', () => {
  assert.match(problemsOf('checks:\n  - name: A\n   type: web\n'), /^uptrail.yaml:3: /);
  assert.match(problemsOf('checks: []\nchecks: []\n'), /^uptrail.yaml:2: Map keys must be unique/);
});

test('aliases that expand without bounds, and very deep nesting, are refused', () => {
  const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`);
  assert.match(problemsOf(['a0: &a0 [x]', ...levels].join('\n')), 'Excessive alias count');
  assert.match(problemsOf(`checks: ${'['.repeat(100_000)}`), /nested more than 64 levels deep|uptrail.yaml:1/);
  assert.match(problemsOf(`checks: ${'['.repeat(100)}${']'.repeat(100)}`), 'nested more than 64 levels deep');
});

test('an alias that contains itself is refused, whether directly or deeper', () => {
  const sentence = 'The alias "a" contains itself.';
  assert.is(problemsOf('checks: &a [ *a ]'), `uptrail.yaml:1: ${sentence}`);
  assert.is(problemsOf('checks: &a\n  - name: A\n    parameters: { x: [*a] }\n'), `uptrail.yaml:3: ${sentence}`);
  assert.is(problemsOf('checks:\n  - &a\n    <<: *a\n'), `uptrail.yaml:3: ${sentence}`);
  assert.equal(read('check_groups: &a [&a { name: A }, *a]').configuration.check_groups, [
    { name: 'A' },
    { name: 'A' },
  ]);
});

test('a text with a NUL character is reported with its line', () => {
  const sentence = 'Must be Unicode text without NUL characters.';
  assert.is(problemsOf('check_groups:\n  - name: A\n  - name: "B\\0"\n'), `uptrail.yaml:3: ${sentence}`);
  assert.is(problemsOf('check_groups:\n  - { name: A, "\\0": 1 }\n'), `uptrail.yaml:2: ${sentence}`);
});

test('anchors and merge keys can share settings', () => {
  const text = [
    'checks:',
    '  - &web { name: A, type: web, url: "https://a.example/", interval: 60 }',
    '  - { <<: *web, name: B }',
  ].join('\n');
  const { configuration } = read(text);
  assert.equal(
    configuration.checks?.map(({ name, url }) => [name, url]),
    [
      ['A', 'https://a.example/'],
      ['B', 'https://a.example/'],
    ],
  );
});

test.run();
