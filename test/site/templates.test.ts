import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PAGE_TEMPLATES } from '../../domain/page/templates.ts';
import { templatePicture } from '../../site/templates/pictures.ts';
import { request } from '../api/http.ts';
import { startService } from '../api/service.ts';

const test = suite('the pictures of templates');
const service = await startService();
test.after(() => service.stop());

/** The Accept header that browsers send for images. */
const IMAGE = 'image/avif,image/webp,image/svg+xml,image/*,*/*;q=0.8';

test('template pictures are public, and the list of templates contains their URLs', async () => {
  const listed = (await service.request('GET', '/v1/pages/get-templates', { key: null })).json() as {
    picture: string;
  }[];
  assert.is(listed.length, PAGE_TEMPLATES.length);
  for (const { picture } of listed) {
    const reply = await request(service.port, { path: picture, headers: { accept: IMAGE } });
    assert.equal([reply.status, reply.headers['content-type']], [200, 'image/svg+xml; charset=utf-8']);
    assert.is(reply.headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(reply.headers['content-security-policy']), "default-src 'none'");
  }
});

test('template pictures differ from each other, and contain only shapes', () => {
  const pictures = PAGE_TEMPLATES.map(templatePicture);
  assert.is(new Set(pictures).size, PAGE_TEMPLATES.length);
  for (const picture of pictures) {
    const elements = new Set([...picture.matchAll(/<(\w+)/g)].map(([, name]) => name));
    assert.equal(
      [...elements].filter((name) => !['svg', 'title', 'rect', 'circle', 'path'].includes(name ?? '')),
      [],
    );
    assert.not.match(picture, /NaN|undefined|style=|href/);
  }
});

test.run();
