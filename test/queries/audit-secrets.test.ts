import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXPORT_FORMATS, exportFile } from '../../api/v1/audit/export.ts';
import { definitionOf } from '../../domain/event-types.ts';
import { AUDITED_EVENT_TYPES } from '../../projections/audit/subjects.ts';
import { exportAudit } from '../../queries/audit.ts';
import { goldenEvents } from '../golden/golden.ts';
import type { Fact } from '../projections/history.ts';
import { scopeOf } from './engine/scope.ts';
import { marked, markersIn, OPEN, secretsIn } from './marked-secrets.ts';

const test = suite('secrets and the audit log');

const current = (): Fact[] =>
  [...goldenEvents().values()]
    .filter(({ type, metadata }) => definitionOf(type)?.version === metadata.schema_version)
    .filter(({ type }) => (AUDITED_EVENT_TYPES as readonly string[]).includes(type))
    .map(({ type, data }) => ({ type, data: marked(data, type) }) as unknown as Fact);

const filesOf = async (facts: readonly Fact[]): Promise<string[]> => {
  const scope = scopeOf(facts, { keys: OPEN, now: '2027-01-01T00:00:00.000000' });
  return Promise.all(
    Object.values(EXPORT_FORMATS).map(async (format) => {
      const { body } = await exportFile(format, exportAudit(scope, {}));
      const pieces = (body?.() as () => AsyncIterable<string>)();
      let text = '';
      for await (const piece of pieces) text += piece;
      return text;
    }),
  );
};

test('the audit log contains no secret of any event type in any export format', async () => {
  const facts = current();
  assert.is(new Set(facts.map(({ type }) => type)).size, AUDITED_EVENT_TYPES.length);
  assert.ok(JSON.stringify(facts).includes('MARK<UserJoined.password>'));
  assert.ok(JSON.stringify(facts).includes('MARK<SecretCreated.secret_value>'));
  for (const text of await filesOf(facts)) {
    assert.equal(secretsIn(text), []);
    assert.ok(markersIn(text).includes('UserInvited.email'));
  }
});

test.run();
