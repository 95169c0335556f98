import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  inputErrors,
  configureEmailDomain,
  isCheckedNow,
  recordCheck,
  storedInput,
} from '../../../domain/email-domain/decide.ts';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { emailDomainDecider, existing, type EmailDomain } from '../../../domain/email-domain/state.ts';
import type { Instant } from '../../../domain/time.ts';
import { page } from '../incident/examples.ts';
import { PAGE, pageDeleted } from '../page/examples.ts';
import { specification } from '../specification.ts';
import { checked, configured, failed, findings, DOMAIN_SECRETS, on, verified } from './examples.ts';

const domain = specification(emailDomainDecider);
const test = suite('the e-mail domain of a page');

const input = { domain: 'example.com', from_email: 'status@example.com' };
const configure =
  (given = input, made: typeof DOMAIN_SECRETS | null = DOMAIN_SECRETS, at = on(1), ofPage = page()) =>
  (state: EmailDomain) =>
    configureEmailDomain(state, ofPage, given, made, 'mail.example.org', at);
const check =
  (at: Instant, found: ReturnType<typeof findings>, selector = DOMAIN_SECRETS.selector, ofPage = page()) =>
  (state: EmailDomain) =>
    recordCheck(state, ofPage, selector, found, at);

const isVerified = [configured(), checked(on(2), findings(), on(3)), verified(on(2))] as const;

test('an e-mail domain is stored in ASCII and lower case', () => {
  assert.equal(storedInput({ domain: 'Example.COM.', from_email: 'Status@EXAMPLE.com' }), {
    domain: 'example.com',
    from_email: 'Status@example.com',
  });
  assert.is(
    storedInput({ domain: 'bücher.example', from_email: 'a@xn--bcher-kva.example' }).domain,
    'xn--bcher-kva.example',
  );
});

test('an e-mail domain needs at least two labels and an address at this domain', () => {
  for (const wrong of [
    'com',
    '127.0.0.1',
    'a b.com',
    'example.com/x',
    'a_b.example.com',
    '.example.com',
    `${'a.'.repeat(100)}com`,
  ]) {
    assert.equal(Object.keys(inputErrors({ domain: wrong, from_email: 'a@example.com' })), ['domain'], wrong);
  }
  const wrong = [
    'status@example.org',
    'status@sub.example.com',
    'example.com',
    '@example.com',
    'a..b@example.com',
    'a b@example.com',
    'status@example.com\r\nBcc: all@example.com',
    'ünter@example.com',
    `${'a'.repeat(65)}@example.com`,
  ];
  for (const from_email of wrong) {
    assert.equal(Object.keys(inputErrors({ domain: 'example.com', from_email })), ['from_email'], from_email);
    assert.throws(
      () => storedInput({ domain: 'example.com', from_email }),
      (error: unknown) => error instanceof Invalid,
    );
  }
  assert.equal(inputErrors({ domain: 5 }), {});
});

test('a new e-mail domain is pending and is checked after a day', () => {
  domain.given().when(configure()).then(configured());
});

test('an e-mail domain keeps its key and status if only the address changes', () => {
  const other = { ...input, from_email: 'news@example.com' };
  domain
    .given(...isVerified)
    .when(configure(other, null, on(3)))
    .then({
      type: 'EmailDomainSenderChanged',
      data: {
        page_id: PAGE,
        changed_at: on(3),
        from_email: 'news@example.com',
        previous: { from_email: 'status@example.com' },
      },
    });
  domain
    .given(...isVerified)
    .when(configure(input, null, on(3)))
    .thenNothing();
});

test('a replaced e-mail domain must be verified again', () => {
  const other = { domain: 'example.net', from_email: 'status@example.net' };
  const replaced = configured({ ...other, configured_at: on(4), next_check_at: on(5) });
  domain
    .given(...isVerified)
    .when(configure(other, DOMAIN_SECRETS, on(4)))
    .then(replaced);
  const state = existing(domain.given(...isVerified, replaced).state());
  assert.equal([state.status, state.last_checked_at], ['pending', null]);
});

test('an e-mail domain is verified by the records of ownership and key, whatever SPF and DMARC are', () => {
  const found = findings({ spf: 'wrong', dmarc: 'wrong' });
  domain
    .given(configured())
    .when(check(on(2), found))
    .then(checked(on(2), found, on(3)), verified(on(2)));
});

test('an e-mail domain is not verified if ownership or key is missing or unknown', () => {
  for (const outcome of ['wrong', 'unknown'] as const) {
    for (const purpose of ['dkim', 'ownership'] as const) {
      const found = findings({ [purpose]: outcome });
      domain
        .given(configured())
        .when(check(on(2), found))
        .then(checked(on(2), found, outcome === 'wrong' ? on(3) : on(2, '18:00')));
    }
  }
});

test('an e-mail domain fails after a required record was missing for three days', () => {
  const gone = findings({ dkim: 'wrong' });
  domain
    .given(...isVerified)
    .when(check(on(3), gone))
    .then(checked(on(3), gone, on(4), on(3)));
  const history = [...isVerified, checked(on(3), gone, on(4), on(3)), checked(on(4), gone, on(5), on(3))];
  domain
    .given(...history)
    .when(check(on(5, '13:00'), gone))
    // This lookup is before the end of the three days.
    .then(checked(on(5, '13:00'), gone, on(6), on(3)));
  domain
    .given(...history)
    .when(check(on(6), gone))
    .then(checked(on(6), gone, on(7)), failed(on(6), ['dkim is wrong.']));
});

test('a missing record counts as missing from now if its recorded start is in the future', () => {
  const gone = findings({ dkim: 'wrong' });
  domain
    .given(...isVerified, checked(on(20), gone, on(21), on(20)))
    .when(check(on(3), gone))
    .then(checked(on(3), gone, on(4), on(3)));
});

test('an e-mail domain does not fail if its record was found again within the three days', () => {
  const gone = findings({ ownership: 'wrong' });
  const back = [checked(on(3), gone, on(4), on(3)), checked(on(5), findings(), on(6))];
  domain
    .given(...isVerified, ...back)
    .when(check(on(7), gone))
    .then(checked(on(7), gone, on(8), on(7)));
});

test("an e-mail domain does not fail while its records can't be looked up", () => {
  const trouble = findings({ dkim: 'unknown', ownership: 'unknown', spf: 'unknown', dmarc: 'unknown' });
  domain
    .given(...isVerified)
    .when(check(on(20), trouble))
    .then(checked(on(20), trouble, on(20, '18:00')));
  const gone = findings({ dkim: 'wrong' });
  domain
    .given(...isVerified, checked(on(3), gone, on(4), on(3)))
    .when(check(on(20), trouble))
    .then(checked(on(20), trouble, on(20, '18:00'), on(3)));
});

test('an e-mail domain is verified again when its records return', () => {
  const gone = findings({ dkim: 'wrong' });
  const history = [...isVerified, checked(on(6), gone, on(7)), failed(on(6), ['dkim is wrong.'])];
  assert.is(existing(domain.given(...history).state()).status, 'failed');
  domain
    .given(...history)
    .when(check(on(7), findings()))
    .then(checked(on(7), findings(), on(8)), verified(on(7)));
});

test('an unverified e-mail domain is checked automatically for thirty days', () => {
  const none = findings({ dkim: 'wrong', ownership: 'wrong' });
  domain
    .given(configured())
    .when(check('2026-12-01T12:00:00.000000', none))
    .then(checked('2026-12-01T12:00:00.000000', none, null));
});

test('the lookup results of a replaced e-mail domain do not affect its successor', () => {
  domain
    .given(configured())
    .when(check(on(2), findings(), 'uptrail-other'))
    .thenNothing();
});

test('an e-mail domain is not checked again immediately', () => {
  const state = existing(domain.given(configured(), checked(on(2), findings(), on(3))).state());
  assert.not(isCheckedNow(state, '2026-11-02T12:00:14.000000'));
  assert.ok(isCheckedNow(state, '2026-11-02T12:00:15.000000'));
  assert.ok(isCheckedNow(state, on(1)), 'a clock that was set back');
});

test('an e-mail domain is removed with its page', () => {
  domain
    .given(configured())
    .when(configure(input, null, on(2), page(pageDeleted)))
    .throws(NotFound);
  domain
    .given(configured())
    .when(check(on(2), findings(), DOMAIN_SECRETS.selector, page(pageDeleted)))
    .throws(NotFound);
  domain
    .given()
    .when(check(on(2), findings()))
    .throws(NotFound, 'There is no such e-mail domain.');
});

test.run();
