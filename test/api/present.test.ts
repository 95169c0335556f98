import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { presenting } from '../../api/present.ts';

const test = suite('a document is shown by the fields of its schema');

const Page = Type.Object({ id: Type.String(), name: Type.String(), 'odd "name"': Type.Integer() });
const document = { name: 'Shop', id: 'k3v9x0q2m7ab', 'odd "name"': 1, deleted_at: null };

test('in their order, and without what is there for our own use', () => {
  assert.is(JSON.stringify(presenting(Page)(document)), '{"id":"k3v9x0q2m7ab","name":"Shop","odd \\"name\\"":1}');
});

test('with what is computed beside the document', () => {
  const Scored = Type.Object({ ...Page.properties, score: Type.Integer() });
  assert.equal(presenting(Scored, ['score'])(document, { score: 7 }), {
    id: 'k3v9x0q2m7ab',
    name: 'Shop',
    'odd "name"': 1,
    score: 7,
  });
});

test.run();
