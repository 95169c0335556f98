import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { revisedIn } from '../../../domain/revision.ts';
import { HttpError } from '../../../http/errors.ts';
import { preconditionOf, revisedTag } from '../../../http/routes/if-match.ts';

const test = suite('If-Match');

const note = revisedIn('note', 'k3v9x0q2m7ab');
const revisionsOf = (header: string): readonly number[] | null | undefined => preconditionOf(header, note)?.revisions;

test('without If-Match there is no precondition', () => {
  assert.is(preconditionOf(undefined, note), undefined);
});

test('the precondition of a request contains the resource and its stream', () => {
  assert.equal(preconditionOf('"7"', revisedIn('page', 'page00000001', 'component001')), {
    stream: 'page-page00000001',
    id: 'component001',
    revisions: [7],
    met: false,
  });
});

test('If-Match compares the revision in a strong tag', () => {
  assert.equal(revisionsOf('"7-2jmj7l5rSw0yVb/vlWAYkK/YBwk"'), [7]);
  assert.equal(revisionsOf('"7"'), [7]);
  assert.equal(revisionsOf('"7-abc-gzip"'), [7]);
  assert.equal(revisionsOf(' "7" , "8-x",,"9"'), [7, 8, 9]);
});

test('weak tags and tags without a revision never match', () => {
  assert.equal(revisionsOf('W/"7"'), []);
  assert.equal(revisionsOf('"abc", "", "7x", "-7", "7.5", "1234567890123456"'), []);
  assert.equal(revisionsOf('W/"7-a", "8"'), [8]);
  assert.equal(revisionsOf('"7,8"'), []);
});

test('If-Match with an asterisk matches every revision', () => {
  assert.is(revisionsOf(' * '), null);
});

test('an If-Match header that is not a list of tags is 400', () => {
  for (const header of ['', '7', '"7', '7"', '*, "7"', '"7" "8"', 'w/"7"', ',', `"${'x'.repeat(9_000)}"`]) {
    assert.throws(
      () => preconditionOf(header, note),
      (error: unknown) => error instanceof HttpError && error.status === 400,
      header,
    );
  }
});

test('a strong ETag starts with the revision and differs with every byte of the body', () => {
  const tag = revisedTag({ revision: 7 }, '{"revision":7}');
  assert.match(tag ?? '', /^"7-[\w+/]{27}"$/);
  assert.is.not(revisedTag({ revision: 7 }, '{"revision":7,"status":"up"}'), tag);
  assert.is(revisedTag({ revision: 7 }, Buffer.from('{"revision":7}')), tag);
});

test('a response body without a revision has no strong ETag', () => {
  for (const shown of [{}, null, [], 'text', { revision: '7' }]) assert.is(revisedTag(shown, '{}'), undefined);
});

test.run();
