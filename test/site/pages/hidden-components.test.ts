import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite } from './published-site.ts';

const test = suite('hidden components of a status page');

test('incidents show the names of hidden components without a link', async () => {
  const published = await startPublishedSite();
  try {
    const shop = await published.component('Shop');
    const queue = await published.component('Queue', { only_show_if_degraded: true });
    const broken = { [shop]: 'major_outage', [queue]: 'major_outage' };
    const { id } = await published.incident({ components: broken });
    const incident = `incidents/${String(id)}`;
    for (const path of ['', incident]) assert.match((await published.get(path)).text, `components/${queue}"`);

    await published.update(id, { status: 'monitoring', components: { [queue]: 'operational' } });
    assert.is((await published.get(`components/${queue}`)).status, 404);
    for (const path of ['', incident]) {
      const { text } = await published.get(path);
      assert.match(text, '<bdi>Queue</bdi>');
      assert.match(text, `components/${shop}"`);
      assert.not.match(text, `components/${queue}"`);
    }
  } finally {
    await published.stop();
  }
});

test.run();
