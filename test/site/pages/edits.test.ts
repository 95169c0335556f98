import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPublishedSite } from './published-site.ts';

const test = suite('edits and deletions on the page of an incident');

test('the incident page shows the previous text of an edited update, but of a deleted update only that it was deleted', async () => {
  const published = await startPublishedSite();
  try {
    const { id } = await published.incident({ body: 'We look into the first cause.' });
    const update = async (body: string): Promise<string> => {
      const { id: updateId } = await published.update(id, { status: 'identified', body });
      return String(updateId);
    };
    const [edited, deleted] = [
      await update('The second cause is known.'),
      await update('The third cause was a mistake.'),
    ];
    const path = `/incidents/${String(id)}/incident_updates`;
    await published.change('PATCH', `${path}/${edited}`, { body: 'The second cause is mended.' });
    await published.change('DELETE', `${path}/${deleted}`);
    const { text } = await published.get(`incidents/${String(id)}`);
    for (const shown of ['The second cause is mended.', 'The second cause is known.', 'An update was deleted'])
      assert.match(text, shown);
    assert.not.match(text, 'The third cause');
  } finally {
    await published.stop();
  }
});

test.run();
