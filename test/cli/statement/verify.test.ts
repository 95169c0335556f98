import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeStatement } from '../../../api/v1/statements/make.ts';
import { writeVerdict } from '../../../cli/statement/report.ts';
import { organizationEvents, sourcesOf } from '../../../cli/statement/sources.ts';
import { statementIn, verdictOn } from '../../../cli/statement/verdict.ts';
import type { Statement } from '../../../domain/statement/content.ts';
import { instantOf } from '../../../domain/time.ts';
import { statementJson } from '../../../messages/statement/json.ts';
import { statementPdf } from '../../../messages/statement/pdf.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { startService } from '../../api/service.ts';
import { createStatusPage } from '../../api/v1/pages/status-page.ts';
import { collectLines } from '../../service/lines.ts';

const test = suite('uptrail statement verify');
const service = await startService({ now: Date.UTC(2026, 8, 1) });
const { request, first, keys } = service;
test.after(() => service.stop());
const on = (time: string): void => {
  service.time.now = Date.parse(`${time}Z`);
};

/** Creates a page with an outage on 10 October, and a statement for October that is made on 2 November. */
const example = async () => {
  on('2026-09-01T00:00');
  const page = await createStatusPage(service, { name: 'Acme' });
  const api = await page.addComponent('API');
  const web = await page.addComponent('Web');
  on('2026-10-10T06:00');
  const incident = await page.open({ components: { [api]: 'major_outage' } });
  on('2026-10-10T09:00');
  await page.change(incident.id, { components: { [api]: 'operational' }, status: 'resolved', body: 'Done.' });
  on('2026-11-02T12:00');
  const found = await make(page.id);
  on('2026-11-05T12:00');
  return { page, api, web, incident, statement: found };
};

const make = (pageId: string, month = '2026-10'): Promise<Statement> =>
  makeStatement(sourcesOf(service.stores.main, keys), {
    organizationId: first.id,
    pageId,
    month,
    now: instantOf(service.time.now),
  });

/** Verifies a file. Returns the output as lines of text and as JSON. */
const verify = async (content: string | Uint8Array) => {
  const file = Buffer.from(content);
  const statement = statementIn(file, 'the file');
  const sources = sourcesOf(service.stores.main, keys);
  const { verdict } = await verdictOn(statement, file, sources, { now: instantOf(service.time.now) });
  const callers = await organizationEvents(sources.main, first.id);
  const [text, json] = [collectLines(), collectLines()];
  await writeVerdict({ statement, verdict, callers, json: false }, text);
  await writeVerdict({ statement, verdict, callers, json: true }, json);
  return { verdict, lines: text.lines, json: JSON.parse(json.lines[0] ?? '') as Record<string, unknown> };
};

const forged = (statement: Statement, change: (copy: Statement) => void): string => {
  const copy = structuredClone(statement);
  change(copy);
  return statementJson(copy);
};

test('uptrail statement verify reports that a statement, whether JSON or PDF, is proven and unchanged', async () => {
  const { statement, page } = await example();
  for (const file of [statementJson(statement), JSON.stringify(statement), await statementPdf(statement)]) {
    const { lines, json } = await verify(file);
    assert.is(json['verdict'], 'unchanged');
    assert.equal(lines, [
      'Proven: the uptime of Acme in 2026-10 follows from the first 5 events of the page.',
      'No later edit changes it.',
    ]);
  }
  // Later incidents, a new component and a new name do not change the statement of a month that has ended.
  const late = await page.addComponent('Late');
  await page.open({ components: { [late]: 'major_outage' } });
  await request('PATCH', page.path, { body: { name: 'Acme Inc.' } });
  assert.is((await verify(statementJson(statement))).json['verdict'], 'unchanged');
});

test('uptrail statement verify lists each later edit that changes a statement, with actor, time and incident update', async () => {
  const { statement, page, incident, web } = await example();
  const { incident_updates: updates } = await page.get(incident.id);
  const opening = updates.find(({ status }) => status === 'investigating')?.id ?? '';
  await page.addComponent('Unrelated');
  on('2026-11-06T10:00');
  await page.edit(incident.id, opening, { created_at: '2026-10-10T08:00:00Z' });
  on('2026-11-07T10:00');
  await page.logPast({
    incident_updates: [
      {
        body: 'Down.',
        status: 'investigating',
        created_at: '2026-10-20T10:00:00Z',
        components: { [web]: 'partial_outage' },
      },
      { body: 'Up.', status: 'resolved', created_at: '2026-10-20T11:00:00Z', components: { [web]: 'operational' } },
    ],
  });
  on('2026-11-08T10:00');
  const { json, lines } = await verify(await statementPdf(statement));
  assert.is(json['verdict'], 'changed');
  const edits = json['edits'] as Record<string, unknown>[];
  assert.equal(
    edits.map(({ at, type }) => [String(at).slice(0, 10), type]),
    [
      ['2026-11-06', 'IncidentUpdateEdited'],
      ['2026-11-07', 'PastIncidentLogged'],
    ],
  );
  assert.equal([edits[0]?.['incident_id'], edits[0]?.['incident_update_id']], [incident.id, opening]);
  const changed = edits[0]?.['changes'] as { name: string; figures: Record<string, object> }[];
  assert.equal(changed[0]?.figures['major_outage'], { old: 10_800, new: 3_600 });
  assert.is(lines[1], '2 later edits change it:');
  assert.match(
    lines[2] ?? '',
    /^2026-11-06 10:00:00.000 UTC {2}Incident update edited, by API key editor \(.*editor\)$/,
  );
  assert.is(lines[3], `    incident ${incident.id}, update ${opening}`);
  assert.match(lines[4] ?? '', '    API: uptime_percentage 99.6 → 99.87, major_outage 10800 → 3600');
});

/** Returns the types of the edits that the verification names. */
const typesOf = async (statement: Statement): Promise<string[]> =>
  ((await verify(statementJson(statement))).json['edits'] as { type: string }[]).map(({ type }) => type);

test('uptrail statement verify does not list edits that later edits reverted, even if other edits lie between them', async () => {
  const { statement, page, incident } = await example();
  const opening = (await page.get(incident.id)).incident_updates.find(({ status }) => status === 'investigating');
  const id = opening?.id ?? '';
  for (let round = 0; round < 60; round++) {
    await page.edit(incident.id, id, { created_at: '2026-10-10T08:00:00Z' });
    await page.edit(incident.id, id, { created_at: opening?.created_at });
  }
  await request('PATCH', page.path, { body: { time_zone: 'America/Los_Angeles' } });
  assert.equal(await typesOf(statement), ['PageUpdated']);
  await page.edit(incident.id, id, { created_at: '2026-10-10T08:00:00Z' });
  await request('PATCH', page.path, { body: { time_zone: 'Europe/Berlin' } });
  await page.edit(incident.id, id, { created_at: opening?.created_at });
  assert.equal(await typesOf(statement), ['PageUpdated']);
  const { json } = await verify(statementJson(statement));
  assert.is(json['truncated'], false);
});

test('uptrail statement verify does not list edits that a later edit superseded', async () => {
  const { statement, page, incident, api } = await example();
  const opening = (await page.get(incident.id)).incident_updates.find(({ status }) => status === 'investigating');
  for (const hour of ['07', '08'])
    await page.edit(incident.id, opening?.id ?? '', { created_at: `2026-10-10T${hour}:00:00Z` });
  assert.equal(await typesOf(statement), ['IncidentUpdateEdited']);
  await request('DELETE', `${page.path}/components/${api}`);
  assert.equal(await typesOf(statement), ['ComponentRemoved']);
});

test('an incident that was moved to the month of a statement is listed with the edit that moved it', async () => {
  const { statement, page, web } = await example();
  const late = await page.open({ components: { [web]: 'major_outage' } });
  assert.equal(await typesOf(statement), []);
  const opening = (await page.get(late.id)).incident_updates.find(({ status }) => status === 'investigating');
  await page.edit(late.id, opening?.id ?? '', { created_at: '2026-10-31T12:00:00Z' });
  assert.equal(await typesOf(statement), ['IncidentUpdateEdited']);
});

test('later edits that cancel each other out leave a statement unchanged', async () => {
  const { statement, page, api } = await example();
  const past = await page.logPast({
    incident_updates: [
      {
        body: 'Down.',
        status: 'investigating',
        created_at: '2026-10-20T10:00:00Z',
        components: { [api]: 'major_outage' },
      },
      { body: 'Up.', status: 'resolved', created_at: '2026-10-20T11:00:00Z', components: { [api]: 'operational' } },
    ],
  });
  assert.is((await verify(statementJson(statement))).json['verdict'], 'changed');
  await request('DELETE', `${page.incidents}/${past.id}`);
  assert.is((await verify(statementJson(statement))).json['verdict'], 'unchanged');
});

test('if the page was deleted, uptrail statement verify lists the deletion as an edit of the proven statement', async () => {
  const { statement, page } = await example();
  await request('DELETE', page.path, { key: first.keys.admin });
  const { json } = await verify(statementJson(statement));
  assert.is(json['verdict'], 'changed');
  assert.equal(
    (json['edits'] as { type: string }[]).map(({ type }) => type),
    ['PageDeleted'],
  );
});

test('a statement with a forged figure, name, time, head or position is not proven, and the error names the forged value', async () => {
  const { statement } = await example();
  const reasons = async (change: (copy: Statement) => void): Promise<string[]> => {
    const { json } = await verify(forged(statement, change));
    assert.is(json['verdict'], 'not_proven');
    return json['reasons'] as string[];
  };
  const [component] = statement.components;
  if (!component) throw new Error('The statement has no components.');
  assert.equal(await reasons((copy) => Object.assign(copy.components[0] ?? {}, { uptime_percentage: 100 })), [
    'components.0.uptime_percentage: the statement has 100, the log gives 99.6.',
  ]);
  assert.match((await reasons((copy) => (copy.components = [])))[0] ?? '', 'components.0');
  assert.match((await reasons((copy) => (copy.page.name = 'Other')))[0] ?? '', 'page.name');
  assert.match((await reasons((copy) => (copy.complete = false)))[0] ?? '', 'complete');
  assert.match((await reasons((copy) => Object.assign(copy, { note: 'x' })))[0] ?? '', 'note');
  assert.match((await reasons((copy) => (copy.month = '2026-09')))[0] ?? '', 'from');
  assert.match((await reasons((copy) => (copy.made_at = '2026-09-01T00:00:00.000000')))[0] ?? '', 'recorded later');
  assert.match((await reasons((copy) => (copy.made_at = '2030-09-01T00:00:00.000000')))[0] ?? '', 'from the future');
  assert.match((await reasons((copy) => (copy.log.head = `4${copy.log.head.slice(1)}`)))[0] ?? '', 'was changed');
  assert.match((await reasons((copy) => (copy.log.head = `900${copy.log.head.slice(1)}`)))[0] ?? '', 'only 5 events');
  assert.match((await reasons((copy) => (copy.page.id = 'nopage000000')))[0] ?? '', 'no page');
  const other = await make((await createStatusPage(service)).id);
  const positions = [other.log.position, 'x', `A${statement.log.position.slice(1)}`, `${statement.log.position}=`];
  for (const position of positions)
    assert.match((await reasons((copy) => (copy.log.position = position)))[0] ?? '', 'log.position');
});

test('a statement that leaves out an event recorded before its creation is not proven', async () => {
  const { statement, page, api } = await example();
  await page.set(api, 'major_outage');
  on('2026-11-20T12:00');
  const file = forged(statement, (copy) => (copy.made_at = '2026-11-20T11:00:00.000000'));
  assert.match(((await verify(file)).json['reasons'] as string[])[0] ?? '', 'leaves out an event');
});

test('a statement as a PDF with altered pages is not proven, even if its attachment is unaltered', async () => {
  const { statement } = await example();
  const pdf = Buffer.from(await statementPdf(statement));
  const at = pdf.indexOf('] TJ', 0, 'latin1') - 10;
  pdf[at] = (pdf[at] ?? 0) ^ 1;
  const { json } = await verify(pdf);
  assert.is(json['verdict'], 'not_proven');
  assert.match((json['reasons'] as string[])[0] ?? '', 'The pages of the PDF');
});

test('a statement of an incomplete month stays proven when further events of the month are recorded', async () => {
  const { page, api } = await example();
  const running = await make(page.id, '2026-11');
  assert.is(running.complete, false);
  on('2026-11-25T12:00');
  await page.set(api, 'major_outage');
  assert.is((await verify(statementJson(running))).json['verdict'], 'unchanged');
});

test('a statement whose position was encrypted with lost keys is proven only without its position', async () => {
  const { statement } = await example();
  const { createMemoryKeys } = await import('../../../stores/keys/memory.ts');
  const file = Buffer.from(statementJson(statement));
  const sources = sourcesOf(service.stores.main, createMemoryKeys());
  const now = instantOf(service.time.now);
  const { verdict } = await verdictOn(statement, file, sources, { now });
  assert.is(verdict.verdict, 'not_proven');
  assert.match(verdict.verdict === 'not_proven' ? (verdict.reasons[0] ?? '') : '', '--without-position');
  const without = await verdictOn(statement, file, sources, { now, withoutPosition: true });
  assert.is(without.verdict.verdict, 'unchanged');
});

test('a statement that repeats a name in an object is refused, because programs could show different values', async () => {
  const { statement } = await example();
  const text = statementJson(statement);
  const repeated = [
    text.replace('"month"', '"month": "2026-10",\n  "month"'),
    text.replace('"days"', '"days": 1, "d\\u0061ys"'),
    text.replace('"position"', '"position": "x", "position"'),
  ];
  for (const file of repeated) {
    assert.is.not(file, text);
    assert.throws(
      () => statementIn(Buffer.from(file), 'the file'),
      (error: unknown) => error instanceof OperatorError,
      file,
    );
  }
});

test('a statement is proven whatever its white space and with a byte order mark', async () => {
  const { statement } = await example();
  for (const file of [`\ufeff${statementJson(statement)}`, JSON.stringify(statement, null, '\t')])
    assert.is((await verify(file)).json['verdict'], 'unchanged');
});

test('a statement with a value that JSON.parse turns into infinity or a prototype is not proven', async () => {
  const { statement } = await example();
  const text = statementJson(statement);
  for (const [from, to] of [
    ['"group": null', '"group": 1e999'],
    ['"month"', '"__proto__": {}, "month"'],
    ['"position"', '"note": 1, "position"'],
  ] as const) {
    assert.ok(text.includes(from), from);
    assert.is((await verify(text.replace(from, to))).json['verdict'], 'not_proven', to);
  }
});

test('uptrail statement verify refuses a file that is not a statement', () => {
  for (const file of ['', '{', '[]', '{"format":"uptrail-statement-1"}', '%PDF-1.3 nothing', 'null']) {
    assert.throws(
      () => statementIn(Buffer.from(file), 'the file'),
      (error: unknown) => error instanceof OperatorError,
      file,
    );
  }
});

test('a statement contains no e-mail address', async () => {
  const { statement } = await example();
  assert.not.match(statementJson(statement), '@');
});

test.run();
