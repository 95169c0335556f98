import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite } from './published-site.ts';

const test = suite('past states of a status page');
const site = await startPublishedSite({ show_measurements: true });
test.after(() => site.stop());
const { time } = site.service;
const pass = (minutes: number): void => {
  time.now += minutes * 60_000;
};
const moment = (): string => new Date(time.now).toISOString();

const started = moment();
pass(10);
const component = await site.component('Checkout');
const incident = String((await site.incident({ name: 'Payments fail', body: 'The first text.' }))['id']);
pass(10);
const during = moment();
pass(10);
const { id: second } = await site.update(incident, { status: 'identified', body: 'The second text.' });
pass(10);
const beforeChanges = moment();
pass(10);
const updates = `/incidents/${incident}/incident_updates`;
await site.change('PATCH', `/components/${component}`, { name: 'Basket' });
await site.change('DELETE', `${updates}/${String(second)}`);
pass(10);
await site.update(incident, { status: 'resolved', body: 'The third text.' });
pass(10);
const resolved = moment();
pass(10);
await site.change('DELETE', `/incidents/${incident}`);
pass(60);

test('the root page of a past state shows components and incidents as they were, with a banner and without subscription forms', async () => {
  const { status, text, headers } = await site.get(`?at=${beforeChanges}`);
  assert.is(status, 200);
  for (const shown of ['Checkout', 'Payments fail', 'The second text.', 'This page as of']) assert.match(text, shown);
  for (const hidden of ['Basket', 'href="./subscribe', 'data-events', 'live-']) assert.not.match(text, hidden);
  assert.is(headers['x-robots-tag'], 'noindex, nofollow');
  assert.match(text, /<meta name="robots" content="noindex/);
  const now = await site.get('');
  assert.match(now.text, 'Basket');
  assert.not.match(now.text, 'This page as of');
});

test('the page of a deleted incident in a past state shows its texts as they were, including a text that was deleted later', async () => {
  assert.is((await site.get(`incidents/${incident}`)).status, 404);
  const { text } = await site.get(`incidents/${incident}?at=${beforeChanges}`);
  assert.match(text, 'The second text.');
  assert.not.match(text, 'The third text.');
  const later = await site.get(`incidents/${incident}?at=${resolved}`);
  assert.match(later.text, 'The third text.');
  assert.not.match(later.text, 'The second text.');
  assert.match(later.text, 'An update was deleted');
});

test('a page of a past state links to other pages of the same moment, and to the states before and after that moment', async () => {
  const { text } = await site.get(`?at=${during}`);
  assert.match(text, `incidents/${incident}?at=${during.slice(0, -1)}000Z`);
  assert.match(text, 'Previous change');
  assert.match(text, 'Next change');
  const history = await site.get(`history?at=${during}`);
  assert.match(history.text, 'Payments fail');
  const detail = await site.get(`components/${component}?at=${during}`);
  assert.match(detail.text, 'Checkout');
});

test('a past state can be requested with a time in seconds since 1970, the format that the slider sends', async () => {
  const { text } = await site.get(`?at=${Math.floor(Date.parse(during) / 1_000)}`);
  assert.match(text, 'The first text.');
  assert.match((await site.get('history')).text, 'type="range"');
});

test('a past state is not found if its moment is before the page existed, is in the future, or is invalid', async () => {
  for (const at of ['2020-01-01', new Date(time.now + 60_000).toISOString(), 'soon', '99999999999'])
    assert.is((await site.get(`?at=${at}`)).status, 404, at);
  assert.is((await site.get(`?at=${started}`)).status, 200);
});

test('a text that is withheld now is also withheld from past states in which it was public', async () => {
  const created = await site.incident({ name: 'Leak', body: 'A secret text.' });
  const other = String(created['id']);
  pass(10);
  const before = moment();
  pass(10);
  assert.match((await site.get(`incidents/${other}?at=${before}`)).text, 'A secret text.');
  const [update] = created['incident_updates'] as { id: string }[];
  const path = `/v1/pages/${site.pageId}/incidents/${other}/incident_updates/${String(update?.id)}/withhold`;
  const withheld = await site.service.request('POST', path, { key: site.service.first.keys.admin });
  assert.ok(withheld.status < 300, withheld.text);
  pass(10);
  assert.not.match((await site.get(`incidents/${other}?at=${before}`)).text, 'A secret text.');
});

test('a page whose owner does not allow access to its history shows no past state', async () => {
  await site.change('PATCH', '', { allow_history: false });
  assert.is((await site.get(`?at=${during}`)).status, 404);
  assert.not.match((await site.get('history')).text, 'type="range"');
  await site.change('PATCH', '', { allow_history: true });
});

test('a past state is not shown if fewer visitors had access to the page at that time', async () => {
  await site.change('PATCH', '', { viewers_must_be_team_members: true });
  pass(10);
  const hidden = moment();
  pass(10);
  await site.change('PATCH', '', { viewers_must_be_team_members: false });
  pass(10);
  assert.is((await site.get(`?at=${hidden}`)).status, 404);
  assert.is((await site.get(`?at=${during}`)).status, 200);
});

test('the links to the previous change skip hidden moments and changes that visitors do not see', async () => {
  const shownTimes: string[] = [];
  const rename = async (name: string): Promise<void> => {
    await site.change('PATCH', `/components/${component}`, { name });
    shownTimes.push(moment());
    pass(10);
  };
  await rename('Before');
  await site.change('PATCH', '', { viewers_must_be_team_members: true });
  pass(10);
  await site.change('PATCH', `/components/${component}`, { name: 'Hidden' });
  pass(10);
  await site.change('PATCH', '', { viewers_must_be_team_members: false });
  shownTimes.push(moment());
  pass(10);
  const password = await site.change('POST', '/passwords', {
    name: 'Press',
    password: 'a long password',
    active: false,
  });
  pass(10);
  await site.change('DELETE', `/passwords/${String(password['id'])}`);
  pass(10);
  const postmortem = `/incidents/${String((await site.incident({ status: 'resolved' }))['id'])}/postmortem`;
  shownTimes.push(moment());
  pass(10);
  await site.change('PUT', postmortem, { body_draft: 'A draft.' });
  pass(10);
  await rename('After');
  const linkIn = (text: string, title: string): string | null =>
    new RegExp(`at=([^"&]*)"[^>]*>[^<]*${title}`).exec(text)?.[1] ?? null;
  const visited: string[] = [];
  let at: string | null = moment();
  while (at !== null && visited.length < shownTimes.length) {
    const { status, text } = await site.get(`?at=${at}`);
    assert.is(status, 200, at);
    at = linkIn(text, 'Previous change');
    if (at) visited.push(at);
  }
  const instant = (time: string): string => `${time.slice(0, -1)}000Z`;
  assert.equal(visited.slice(0, shownTimes.length - 1), shownTimes.map(instant).reverse().slice(1));
  const [first, second] = shownTimes;
  assert.is(linkIn((await site.get(`?at=${String(first)}`)).text, 'Next change'), instant(String(second)));
});

test.run();
