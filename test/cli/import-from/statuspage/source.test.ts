import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { read } from '../../../../cli/import-from/statuspage/source.ts';
import { OperatorError } from '../../../../service/operator-error.ts';
import { asFiles, statuspageExport } from './sample.ts';

const test = suite('files of Statuspage');
const NOW = Date.UTC(2026, 10, 20, 12);

const refuses = (files: { name: string; text: string }[], words: RegExp): void => {
  assert.throws(
    () => read(files),
    (error: unknown) => error instanceof OperatorError && words.test(error.message),
  );
};

test('a page keeps its settings, its groups and its components, and equal names refer to their groups', () => {
  const { configuration, component_statuses } = read(asFiles(statuspageExport(NOW)));
  const [page] = configuration.pages ?? [];
  assert.ok(page);
  const { component_groups, components, ...settings } = page;
  assert.equal(settings, {
    name: 'Acme',
    subdomain: 'acme-status',
    url: 'https://www.acme.example',
    support_url: 'https://acme.example/help',
    page_description: 'How our services are',
    time_zone: 'America/New_York',
    css_greens: '#2fcc66',
    allow_email_subscribers: true,
    allow_sms_subscribers: false,
    allow_webhook_subscribers: true,
  });
  assert.equal(
    component_groups?.map(({ name, position }) => [name, position]),
    [
      ['EU', 2],
      ['US', 3],
    ],
  );
  assert.equal(
    components?.map(({ name, group = null }) => [name, group]),
    [
      ['Website', null],
      ['API', 'EU'],
      ['API', 'US'],
    ],
  );
  assert.ok(component_statuses);
  assert.equal(component_statuses[0], { page: 'Acme', component: 'Website', status: 'major_outage' });
  assert.equal(component_statuses[2]?.component, { group: 'US', name: 'API' });
});

test('incidents keep their times in UTC, their components, and a text where there was none', () => {
  const { incidents = [] } = read(asFiles(statuspageExport(NOW)));
  assert.equal(
    incidents.map(({ source_id, kind }) => [source_id, kind]),
    [
      ['statuspage:i1', 'incident'],
      ['statuspage:i3', 'maintenance'],
      ['statuspage:i4', 'maintenance'],
      ['statuspage:i2', 'incident'],
    ],
  );
  const [slow, disks] = incidents;
  assert.ok(slow);
  assert.is(slow.postmortem, 'A disk was full.');
  assert.equal(slow.metadata, { ticket: 'A-1' });
  assert.equal(slow.updates, [
    {
      status: 'investigating',
      body: 'The API is slow.',
      created_at: '2026-10-21T12:00:00.000000',
      components: [{ component: { group: 'EU', name: 'API' }, status: 'degraded_performance' }],
    },
    { status: 'monitoring', body: 'Monitoring.', created_at: '2026-10-21T13:00:00.000000', components: [] },
    {
      status: 'resolved',
      body: 'All is well.\r\nSorry.',
      created_at: '2026-10-21T14:00:00.000000',
      components: [{ component: { group: 'EU', name: 'API' }, status: 'operational' }],
    },
  ]);
  assert.is(disks?.schedule?.['scheduled_for'], '2026-11-10T12:00:00.000000');
});

test('subscribers that would have to be sent a message are left out and counted', () => {
  const { subscribers = [], unmapped } = read(asFiles(statuspageExport(NOW)));
  const [file] = subscribers;
  const lines = file?.csv.trim().split('\r\n') ?? [];
  assert.is(lines.length, 3);
  assert.match(lines[1] ?? '', /^email,ida@example\.com,.*,yes,active$/);
  assert.equal([...(file?.components?.values() ?? [])], [{ group: 'US', name: 'API' }]);
  const text = unmapped.join('\n');
  for (const reason of [
    'in quarantine',
    'not confirmed',
    'must answer a challenge',
    'by slack',
    'by e-mail',
    'favicon_logo',
  ]) {
    assert.ok(text.includes(reason), `${reason}: ${text}`);
  }
  assert.not.match(text, /@example\.com/);
});

test('the files of single endpoints and of the public interface give the same as one export', () => {
  const content = statuspageExport(NOW);
  const whole = read(asFiles(content));
  const { page, components, component_groups, incidents, incident_templates, subscribers } = content;
  const parts = { page, components, component_groups, incident_templates, subscribers };
  const files = Object.entries(parts).map(([name, value]) => ({ name: `${name}.json`, text: JSON.stringify(value) }));
  const isPlanned = ({ scheduled_for }: { scheduled_for?: unknown }): boolean => typeof scheduled_for === 'string';
  const summary = {
    page: { id: 'p1', name: 'Acme' },
    status: { indicator: 'none', description: 'All Systems Operational' },
    incidents: incidents.filter((one) => !isPlanned(one)),
    scheduled_maintenances: incidents.filter(isPlanned),
  };
  assert.equal(read([...files, { name: 'summary.json', text: `\uFEFF${JSON.stringify(summary)}` }]), whole);
});

test('CSV files of components and subscribers become a page with subscribers', () => {
  const components =
    'Component Name;Group Name;Description;Status\nWebsite;;Our site;Major Outage\nAPI;EU;;Operational\n';
  const subscribers =
    'Type,Email,Phone Number,Phone Country,Components\nemail,ida@example.com,,,"Website, API"\nsms,,\'+12025550143,US,\n';
  const imported = read(
    [
      { name: 'components.csv', text: components },
      { name: 'subscribers.csv', text: subscribers },
    ],
    { page: 'Acme' },
  );
  const [page] = imported.configuration.pages ?? [];
  assert.ok(page);
  assert.is(page.name, 'Acme');
  assert.equal(
    page.component_groups?.map(({ name }) => name),
    ['EU'],
  );
  assert.equal(page.components?.map(({ name, group = null }) => [name, group]).sort(), [
    ['API', 'EU'],
    ['Website', null],
  ]);
  assert.equal(imported.component_statuses?.find(({ component }) => component === 'Website')?.status, 'major_outage');
  const [file] = imported.subscribers ?? [];
  assert.equal([...(file?.components?.values() ?? [])], ['Website', 'API']);
  assert.match(file?.csv ?? '', /sms,,'\+12025550143,/);
});

test('a file of subscribers without a header has the columns of the template of Statuspage', () => {
  const { subscribers = [] } = read([{ name: 's.csv', text: 'email,ida@example.com,yes\nsms,2025550143,US\n' }]);
  assert.match(subscribers[0]?.csv ?? '', /email,ida@example\.com,.*\r\nsms,,2025550143,US,/);
});

test('an incident without updates gets those that its times prove', () => {
  const incident = {
    id: 'x',
    name: 'Down',
    status: 'resolved',
    impact: 'major',
    created_at: '2026-01-01T00:00:00Z',
    resolved_at: '2026-01-01T01:00:00Z',
    incident_updates: [],
    components: [{ id: 'c1', name: 'Website' }],
  };
  const { incidents = [], unmapped } = read(
    asFiles({ components: statuspageExport(NOW).components, incidents: [incident] }),
  );
  assert.equal(incidents[0]?.updates, [
    {
      status: 'investigating',
      body: 'Investigating.',
      created_at: '2026-01-01T00:00:00.000000',
      components: [{ component: 'Website', status: 'partial_outage' }],
    },
    {
      status: 'resolved',
      body: 'Resolved.',
      created_at: '2026-01-01T01:00:00.000000',
      components: [{ component: 'Website', status: 'operational' }],
    },
  ]);
  assert.match(unmapped.join(' '), /"Down": Statuspage did not say how the incident affected its components/);
});

test('components that the files do not contain are left out with a sentence', () => {
  const content = statuspageExport(NOW);
  const components = content.components.filter(({ id }) => id !== 'c2');
  const subscribers = [
    { id: 's1', mode: 'email', email: 'ida@example.com', components: ['c1', 'c2'] },
    { id: 's2', mode: 'email', email: 'ivan@example.com', components: ['c1'] },
  ];
  const { incidents = [], unmapped } = read(asFiles({ ...content, components, subscribers, incident_templates: [] }));
  const slow = incidents.find(({ source_id }) => source_id === 'statuspage:i1');
  assert.equal(
    slow?.updates.flatMap(({ components }) => components),
    [],
  );
  const sentences = unmapped.filter((sentence) => /in the files/.test(sentence));
  assert.is(sentences.length, 2);
  assert.match(sentences[0] ?? '', /^"Slow API": Components that are not in the files were left out\./);
  assert.match(sentences[1] ?? '', /^"subscriber s1": is subscribed only to those of its components/);
});

test('a file that is not from Statuspage is refused by its name', () => {
  refuses([{ name: 'a.json', text: '{' }], /^a\.json is not valid JSON/);
  refuses([{ name: 'a.json', text: '{"monitors":[]}' }], /^a\.json contains nothing of Statuspage/);
  refuses([{ name: 'a.csv', text: 'x,y\n1,2\n' }], /^a\.csv: line 1 must name the columns/);
  refuses([{ name: 'a.csv', text: 'email\n"ida@example.com\n' }], /^a\.csv is not valid CSV/);
  refuses([{ name: 'a.csv', text: '' }], /^a\.csv is empty/);
  refuses([], /at least one file/);
  const other = { page: { id: 'p2', name: 'Other', time_zone: 'UTC' } };
  refuses([...asFiles(statuspageExport(NOW)), ...asFiles(other)], /the pages "Acme" and "Other"/);
});

test('subscribers with an invalid address are left out by id or line, without their address', () => {
  const table = 'type,email,phone_number,phone_country\nemail,ida@example.com,,\nemail,secret@,,\nsms,,123,US\n';
  const json = [
    { id: 's1', mode: 'email', email: 'nowhere' },
    { id: 's2', mode: 'email', email: 'ivan@example.com' },
  ];
  const { subscribers = [], unmapped } = read([
    { name: 's.csv', text: table },
    { name: 's.json', text: JSON.stringify({ subscribers: json }) },
  ]);
  assert.equal(subscribers[0]?.labels, ['subscriber s2', 'line 2 of s.csv']);
  const report = unmapped.join('\n');
  assert.match(report, /^"subscriber s1", "line 3 of s\.csv": was left out, .* email: /m);
  assert.match(report, /^"line 4 of s\.csv": was left out, .* phone_number: Must be a phone number of US\.$/m);
  assert.not.match(report, /secret@|nowhere|123/);
});

test.run();
