import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyTemplateProblem, fillBody, fillUrl, urlTemplateProblem } from '../../../notifiers/webhook/template.ts';

const test = suite('templates of a webhook');

const values = {
  alert: { id: 'alert0000001', title: 'The "shop"\nis down', duration: 90, acknowledged_at: null },
  result: { regions: ['RU', 'DE'] },
};
const fired = { event: 'alert.fired', values };
const resolved = { event: 'alert.resolved', values };

test('values in a webhook template are escaped within strings, and written as JSON elsewhere', () => {
  assert.equal(JSON.parse(fillBody('{"text":"{{alert.title}} ({{ alert.duration }} s)"}', fired)), {
    text: 'The "shop"\nis down (90 s)',
  });
  const template =
    '{"title": {{alert.title}}, "s": {{alert.duration}}, "at": {{alert.acknowledged_at}}, "in": {{result.regions}}}';
  assert.equal(JSON.parse(fillBody(template, fired)), {
    title: 'The "shop"\nis down',
    s: 90,
    at: null,
    in: ['RU', 'DE'],
  });
});

test('webhook templates support strings with escaped quotation marks', () => {
  assert.equal(JSON.parse(fillBody('{"a\\"b":"\\\\","c":{{alert.title}}}', fired)), {
    'a"b': '\\',
    c: 'The "shop"\nis down',
  });
});

test('placeholders of a webhook template that have no value are empty, and inherited properties are not read', () => {
  assert.is(fillBody('"{{check.name}}{{alert.constructor.name}}{{alert.acknowledged_at}}"', fired), '""');
});

test('webhook templates can have sections for the beginning and for the resolution of an alert', () => {
  const template = '"{{#fired}}trigger{{/fired}}{{#resolved}}resolve {{alert.id}}{{/resolved}}"';
  assert.is(fillBody(template, fired), '"trigger"');
  assert.is(fillBody(template, resolved), '"resolve alert0000001"');
  assert.is(fillBody(template, { event: 'heartbeat.recovered', values }), '"resolve alert0000001"');
});

test('values in a URL template cannot add path segments or query parameters', () => {
  const template = 'https://example.com/v2/alerts{{#resolved}}/{{alert.title}}/close?by=alias{{/resolved}}';
  assert.is(fillUrl(template, fired), 'https://example.com/v2/alerts');
  assert.is(fillUrl(template, resolved), 'https://example.com/v2/alerts/The%20%22shop%22%0Ais%20down/close?by=alias');
});

test('placeholders of a webhook template can truncate values, and map them to other words', () => {
  const filled = (template: string) =>
    fillBody(template, { event: 'x', values: { alert: { severity: 'high', n: 12 } } });
  assert.is(filled('"{{alert.severity|3}}"'), '"hi…"');
  assert.is(filled('"{{ alert.severity|low:P4|high:P2 }}"'.replace(' }}', '}}')), '"P2"');
  assert.is(filled('{{alert.severity|low:P4}}'), '"high"');
  assert.is(filled('{{alert.n|low:P4}}'), '12');
  assert.is(fillBody('"{{a|3}}"', { event: 'x', values: { a: 'x😀😀' } }), '"x…"');
  assert.match(bodyTemplateProblem('"{{alert.severity|upper}}"') ?? '', /after \|, not "upper"/);
});

test('a webhook template that does not produce JSON is refused', () => {
  assert.is(bodyTemplateProblem('{"text":"{{alert.title}}"}'), null);
  assert.match(bodyTemplateProblem('{"text":{{alert.title}}') ?? '', /Must be JSON once its placeholders are filled/);
  assert.match(bodyTemplateProblem('{"a":1{{#resolved}},{{/resolved}}}') ?? '', /for alert.resolved it is not/);
});

test('a webhook template with unknown placeholders or sections is refused', () => {
  assert.match(bodyTemplateProblem('"{{alertt.title}}"') ?? '', /There is no placeholder {{alertt.title}}/);
  assert.match(bodyTemplateProblem('"{{alert title}}"') ?? '', /There is no place/);
  assert.match(bodyTemplateProblem('"{{#acknowledged}}x{{/acknowledged}}"') ?? '', /sections must be/);
  assert.match(bodyTemplateProblem('"{{#fired}}x"') ?? '', /sections must be/);
  assert.match(bodyTemplateProblem('"{{#fired}}{{#resolved}}x{{/resolved}}{{/fired}}"') ?? '', /sections must be/);
});

test('a webhook template with any arrangement of braces is parsed in linear time', () => {
  const blanks = ' '.repeat(30_000);
  assert.match(bodyTemplateProblem(`"{{${blanks}`) ?? '', /Must be JSON/);
  assert.match(bodyTemplateProblem(`"{{alert.title${blanks}x`) ?? '', /Must be JSON/);
  assert.is(bodyTemplateProblem(`"{{${blanks}alert.title${blanks}}}"`), null);
  assert.is(fillBody('"{{ alert.id |5}}"', fired), '"aler…"');
  for (const open of ['{{#fired}}', '{{#fired}}{{/resolved}}']) {
    const sections = open.repeat(Math.floor(30_000 / open.length));
    assert.match(bodyTemplateProblem(`"${sections}"`) ?? '', /Its sections must be/);
    assert.is(fillBody(`"${sections}"`, fired), `"${sections}"`);
  }
});

test('a webhook template that repeats large values produces at most a mebibyte of valid JSON', () => {
  const large = { event: 'alert.fired', values: { result: { text: 'x'.repeat(60_000) } } };
  for (const place of ['{{result}}', '"{{result.text}}"', '"{{result|100000}}"']) {
    const body = fillBody(`[${`${place},`.repeat(2_000)}"{{alert.id}}"]`, large);
    assert.ok(body.length > 1_000_000 && body.length < 1_200_000, `${place}: ${body.length}`);
    assert.is((JSON.parse(body) as unknown[]).length, 2_001);
  }
  assert.ok(fillUrl(`https://example.com/?${'{{result.text|9000}}'.repeat(100)}`, large).length < 17_000);
});

test('a value that several placeholders of a webhook template refer to is formatted once', () => {
  let written = 0;
  const result = {
    toJSON: () => {
      written += 1;
      return ['👍'.repeat(10)];
    },
  };
  const places = Array.from(
    { length: 100 },
    (_, index) => `{{${' '.repeat(index % 10)}result${' '.repeat(index / 10)}}}`,
  );
  const body = fillBody(`[${places.join()}]`, { event: 'alert.fired', values: { result } });
  assert.equal(JSON.parse(body), Array(100).fill(['👍'.repeat(10)]));
  assert.is(written, 1);
  const cut = fillBody('"{{result|9}}{{ result|8}}"', { event: 'alert.fired', values: { result } });
  assert.is(JSON.parse(cut), '["👍👍👍…["👍👍…');
  assert.is(written, 2);
});

test("a URL template can't change the host", () => {
  assert.is(urlTemplateProblem('https://example.com/{{alert.id}}'), null);
  assert.is(urlTemplateProblem('https://example.com/alerts{{#resolved}}/x{{/resolved}}'), null);
  for (const url of [
    'https://{{alert.title}}/x',
    'https://example.com{{alert.id}}/x',
    'https://example.com{{#fired}}.evil.example/{{/fired}}',
    'https://example.com:{{alert.id}}/x',
  ]) {
    assert.type(urlTemplateProblem(url), 'string', url);
  }
});

test.run();
