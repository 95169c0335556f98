import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { emailDomains } from '../../../projections/email-domains/projection.ts';
import { checked, configured, failed, findings, on, verified } from '../../domain/email-domain/examples.ts';
import { PAGE, pageDeleted } from '../../domain/page/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of e-mail domains');

const document = (...facts: Fact[]) =>
  projection(emailDomains)
    .given(...facts)
    .document('email_domains', PAGE);
const dueAt = async (...facts: Fact[]) =>
  (
    await projection(emailDomains)
      .given(...facts)
      .document('email_domain_checks', PAGE)
  )?.due_at;
const statuses = async (...facts: Fact[]) => {
  const found = await document(...facts);
  return [found?.status, ...(found?.records ?? []).map(({ status }) => status)];
};

const changed: Fact = {
  type: 'EmailDomainSenderChanged',
  data: {
    page_id: PAGE,
    changed_at: on(2),
    from_email: 'news@example.com',
    previous: { from_email: 'status@example.com' },
  },
};

test('an e-mail domain has its configuration and DNS records', async () => {
  const { records = [], ...rest } = (await document(configured())) ?? {};
  assert.equal(rest, {
    id: PAGE,
    organization_id: 'org000000001',
    domain: 'example.com',
    from_email: 'status@example.com',
    status: 'pending',
    last_checked_at: null,
    verified_at: null,
    selector: 'uptrail-k3v9x0q2m7ab',
    private_key: { key: `email_domain-${PAGE}`, sealed: 'private' },
  });
  assert.equal(
    records.map(({ purpose, status, error_message }) => [purpose, status, error_message]),
    ['dkim', 'spf', 'dmarc', 'ownership'].map((purpose) => [purpose, 'pending', null]),
  );
  assert.is(await dueAt(configured()), on(2));
});

test('the lookup result of each DNS record is stored, and a lookup without a result changes nothing', async () => {
  const first = checked(on(2), findings({ spf: 'wrong', dmarc: 'unknown' }), on(3));
  assert.equal(await statuses(configured(), first, verified(on(2))), [
    'verified',
    'verified',
    'failed',
    'pending',
    'verified',
  ]);
  const trouble = checked(on(3), findings({ dkim: 'unknown', spf: 'unknown' }), on(4));
  const found = await document(configured(), first, verified(on(2)), trouble);
  assert.equal(
    found?.records.map(({ status, error_message }) => [status, error_message]),
    [
      ['verified', 'dkim is unknown.'],
      ['failed', 'spf is unknown.'],
      ['verified', null],
      ['verified', null],
    ],
  );
  assert.equal([found?.last_checked_at, found?.verified_at], [on(3), on(2)]);
  assert.is(await dueAt(configured(), first, trouble), on(4));
});

test('a failed e-mail domain shows its failure and its present address', async () => {
  const found = await document(configured(), changed, verified(on(2)), failed(on(6), ['dkim is wrong.']));
  assert.equal([found?.status, found?.from_email, found?.verified_at], ['failed', 'news@example.com', on(2)]);
});

test('an e-mail domain that was not verified in time is not looked up any more', async () => {
  assert.is(await dueAt(configured(), checked(on(2), findings(), null)), undefined);
});

test('a new e-mail domain replaces the previous one', async () => {
  const other = configured({ domain: 'example.net', next_check_at: on(9) });
  const history = [configured(), checked(on(2), findings(), on(3)), verified(on(2)), other];
  assert.equal(await statuses(...history), ['pending', 'pending', 'pending', 'pending', 'pending']);
  assert.is(await dueAt(...history), on(9));
});

test('the e-mail domain of a deleted page is removed, whatever events follow', async () => {
  const history = [configured(), pageDeleted, checked(on(2), findings(), on(3)), verified(on(2))];
  assert.not(await document(...history));
  assert.is(await dueAt(...history), undefined);
});

test.run();

projectionRules(emailDomains, [
  configured(),
  checked(on(2), findings({ spf: 'wrong', dmarc: 'unknown' }), on(3)),
  verified(on(2)),
  changed,
  checked(on(3), findings({ dkim: 'wrong' }), on(4), on(3)),
  failed(on(6), ['dkim is wrong.']),
  configured({ domain: 'example.net' }),
  pageDeleted,
]);
