import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { derivedUuid } from '../../../domain/identity.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import { resultOf } from '../../domain/check-result/examples.ts';
import { wentDown } from '../../domain/check/examples.ts';
import { startPublishedSite, type PublishedSite } from './published-site.ts';

const test = suite<{ site: PublishedSite }>('a component that is watched by a tag');

test.before.each(async (context) => {
  context.site = await startPublishedSite({ show_measurements: true, time_zone: 'UTC' });
});
test.after.each(({ site }) => site.stop());

const aCheck = async ({ service }: PublishedSite, tags: string[]): Promise<string> => {
  const body = { name: 'Shop', type: 'web', url: 'https://shop.example/', interval: 60, tags };
  return ((await service.request('POST', '/v1/checks', { body })).json() as { id: string }).id;
};

const ran = async ({ service }: PublishedSite, check: string, response_time: number | null): Promise<void> => {
  const result = resultOf(check, service.time.now - 60_000, {
    organization_id: service.first.id,
    status: response_time === null ? 'down' : 'ok',
    response_time,
  });
  const { position } = await service.stores.results.append('check_results-1', [result], 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
};

const pageOf = async (site: PublishedSite, path = ''): Promise<string> => (await site.get(path)).text;

test('a component with a tag shows the results of all its checks, by region', async ({ site }) => {
  const [one, other] = [await aCheck(site, ['prod']), await aCheck(site, ['eu', 'prod'])];
  await ran(site, one, 100);
  await ran(site, other, null);
  await site.component('Shop', { check_tag: 'prod' });
  const summary = 'since Nov 20, 2026, 14:00 UTC: RU, Moscow: 1 of 2 checks succeeded';
  const text = (await pageOf(site)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  assert.ok(text.includes(summary), text);
});

test('a component with a tag shows that no check has the tag', async ({ site }) => {
  await site.component('Shop', { check_tag: 'prod' });
  assert.match((await pageOf(site)).replace(/<[^>]*>/g, ''), /14:00 UTC:\s*no data/i);
});

test('a component with a tag shows a hint while any of its checks is down', async ({ site }) => {
  const { service } = site;
  const check = await aCheck(site, ['prod']);
  await site.component('Mail', { check_tag: 'mail' });
  const down = wentDown({ check_id: check });
  const now = instantOf(service.time.now);
  const event = systemEvent(down, { id: derivedUuid(check), by: 'test', organizationId: service.first.id, now });
  const { position } = await service.stores.main.append(`check-${check}`, [event], 'any');
  await service.readers.waitFor(['checks'], { appended: new Map([['main', position]]) });
  const hint = 'We see failures';
  assert.not((await pageOf(site)).includes(hint));
  await site.component('Shop', { check_tag: 'prod' });
  assert.ok((await pageOf(site)).includes(hint));
});

test('a component with a tag shows the response times of all its checks', async ({ site }) => {
  const [one, other] = [await aCheck(site, ['prod']), await aCheck(site, ['prod'])];
  await ran(site, one, 100);
  await ran(site, other, 40);
  const id = await site.component('Shop', { check_tag: 'prod', show_response_times: true });
  assert.match(await pageOf(site, `components/${id}`), /70\sms average/);
  assert.match((await site.get(`components/${id}/badge.svg?metric=response_time`)).text, /70\sms/);
});

test.run();
