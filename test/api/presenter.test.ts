import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPresenter } from '../../api/presenter.ts';

const test = suite('presenting a document by the fields of a schema');

const Page = Type.Object({ id: Type.String(), name: Type.String(), 'odd "name"': Type.Integer() });
const document = { name: 'Shop', id: 'k3v9x0q2m7ab', 'odd "name"': 1, deleted_at: null };

test('a presented document has the fields of the schema in the order of the schema, without internal fields', () => {
  assert.is(JSON.stringify(createPresenter(Page)(document)), '{"id":"k3v9x0q2m7ab","name":"Shop","odd \\"name\\"":1}');
});

test('a presented document includes fields computed separately', () => {
  const Scored = Type.Object({ ...Page.properties, score: Type.Integer() });
  assert.equal(createPresenter(Scored, ['score'])(document, { score: 7 }), {
    id: 'k3v9x0q2m7ab',
    name: 'Shop',
    'odd "name"': 1,
    score: 7,
  });
});

test.run();
