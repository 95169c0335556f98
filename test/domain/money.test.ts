import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isCurrency, moneyOf, valueOf } from '../../domain/money.ts';

test('an amount of money is stored as an integer of the smallest unit and written with all its digits', () => {
  for (const [value, currency, amount] of [
    ['4990.00', 'EUR', 499_000],
    ['0.05', 'USD', 5],
    ['0.00', 'EUR', 0],
    ['500', 'JPY', 500],
    ['1.234', 'KWD', 1234],
  ] as const) {
    assert.equal(moneyOf(value, currency), { amount, currency });
    assert.is(valueOf({ amount, currency }), value);
  }
  assert.equal(moneyOf('4990', 'EUR'), { amount: 499_000, currency: 'EUR' });
});

test('an inexact amount of money is invalid', () => {
  for (const value of [
    '',
    '1.',
    '.50',
    '1.5',
    '1.234',
    '-1.00',
    '+1',
    '01.00',
    '1e3',
    '1,50',
    '99999999999999999.00',
    ' 1',
  ]) {
    assert.is(moneyOf(value, 'EUR'), null, value);
  }
  assert.is(moneyOf('5.00', 'JPY'), null);
});

test('currencies are those of ISO 4217', () => {
  assert.ok(isCurrency('EUR'));
  assert.not.ok(isCurrency('EURO'));
  assert.not.ok(isCurrency('eur'));
  assert.not.ok(isCurrency('AAA'));
});

test.run();
