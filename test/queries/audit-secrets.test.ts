import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXPORT_FORMATS, exportFile } from '../../api/v1/audit/export.ts';
import { definitionOf } from '../../domain/event-types.ts';
import { isFields } from '../../domain/fields.ts';
import { isSealed } from '../../domain/sealed.ts';
import { AUDITED_EVENT_TYPES } from '../../projections/audit/subjects.ts';
import { exportAudit } from '../../queries/audit.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { goldenEvents } from '../golden/golden.ts';
import type { Fact } from '../projections/history.ts';
import { scopeOf } from './engine/scope.ts';

const test = suite('secrets and the audit log');

/**
 * Simulates decryption by adding the prefix `opened`, so encrypted texts that a query does not decrypt remain
 * recognizable.
 */
const OPEN: Keys = { open: async ({ sealed }: { sealed: string }) => `opened ${sealed}` } as unknown as Keys;

/** Matches names of fields that contain a secret, or a hash with which a secret is compared. */
const SECRET = /password|secret|token|code|hash|preview_key|email_key|address_key|authorization|signature|private/i;

/**
 * Matches encrypted fields that the audit log shows, because they are not secrets: names of users, invoice details, and
 * parts of a check's request without credentials. The audit log masks addresses of subscribers, reports and channels.
 */
const SHOWN =
  /^(User\w+\.(changes\.|previous\.)?(email|first_name|last_name)|OrganizationUpdated\.(changes|previous)\.invoice_details\.\w+|(CheckCreated|CheckUpdated|JobQueued)\..*http_request\.(username|body|headers\.Accept))$/;

/** Matches fields that are not secrets although their names suggest it, such as references and texts for visitors. */
const HARMLESS =
  /status_codes?|error_code|accepted_codes|phone_country|expected_codes|_codes_|country_code|secret_id|secret_name|password_id|password_hint/;

/** Replaces every encrypted text and every secret of an event by a marker with the path of the field. */
const marked = (value: unknown, place: string): unknown => {
  if (isSealed(value)) return { key: value.key, sealed: `MARK<${place}>` };
  if (Array.isArray(value)) return value.map((part) => marked(part, place));
  if (isFields(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marked(part, `${place}.${name}`)]));
  }
  const name = place.replace(/^.*\./, '');
  return typeof value === 'string' && SECRET.test(name) && !HARMLESS.test(name) ? `MARK<${place}>` : value;
};

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
    const seen = [...text.matchAll(/MARK<([^>]*)>/g)].map(([, place = '']) => place);
    assert.equal(
      [...new Set(seen)].filter((place) => !SHOWN.test(place)),
      [],
    );
    assert.ok(seen.includes('UserInvited.email'));
  }
});

test.run();
