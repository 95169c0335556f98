import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyDraft } from '../../../console/screens/incident/editor/draft.ts';
import { readDraft } from '../../../console/screens/incident/editor/draft-text.ts';

const test = suite('incident drafts stored in the browser');

test('a stored incident draft is restored unchanged', () => {
  const draft = { ...emptyDraft('incident'), body: 'Text', scheduled_for: null };
  assert.equal(readDraft(JSON.stringify({ draft, seen: ['u1'] }), 'incident'), { draft, seen: ['u1'] });
  assert.equal(readDraft(JSON.stringify({ draft, seen: null }), 'incident')?.seen, null);
});

test('a stored incident draft is ignored if it is invalid or comes from another release', () => {
  for (const text of [null, '', '{', '[]', 'null', '{"draft":{"body":1}}', '{"draft":{"name":"x"}}']) {
    assert.is(readDraft(text, 'incident'), null, String(text));
  }
});

test.run();
