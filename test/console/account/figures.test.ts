import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expiryOf, rolesUpTo } from '../../../console/screens/keys/drafts.ts';
import { attentionOf, bytesText, isBusy, stateOfModel } from '../../../console/screens/operator/figures.ts';
import { moneyText } from '../../../console/screens/plan/money.ts';
import { browserOf } from '../../../console/screens/sessions/browser.ts';
import { fittingIn, tilesOf, unitOf } from '../../../console/screens/wall/tiles.ts';
import { includesRole, ROLES } from '../../../domain/organization/roles.ts';

const test = suite('formatting on the account screens of the console');

test('a new API key can expire never, after a number of days, or at a chosen time', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  assert.is(expiryOf('never', null, now), null);
  assert.is(expiryOf('30', null, now), '2026-12-20T12:00:00');
  assert.is(expiryOf('at', '2027-01-01T00:00:00', now), '2027-01-01T00:00:00');
});

test('the form for an API key offers the roles that its creator may assign', () => {
  for (const role of ROLES) {
    assert.equal([...rolesUpTo(role)].sort(), ROLES.filter((other) => includesRole(role, other)).sort(), role);
  }
  assert.equal(rolesUpTo('unheard of'), ['viewer']);
});

test('a session is named after its browser and operating system', () => {
  const chrome =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
  assert.is(browserOf(chrome), 'Chrome, Linux');
  assert.is(browserOf(`${chrome} Edg/140.0.0.0`), 'Edge, Linux');
  assert.is(
    browserOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'),
    'Safari, iOS',
  );
  assert.is(browserOf('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'), 'Firefox, Android');
  assert.is(browserOf('curl/8.5.0'), 'curl');
  assert.is(browserOf('my script'), 'my script');
  assert.is(browserOf(null), null);
});

test('an amount of money is formatted for its currency, even if the currency is unknown', () => {
  assert.is(moneyText({ value: '4990.00', currency: 'EUR' }, 'en'), '€4,990.00');
  assert.is(moneyText({ value: '5.00', currency: 'nothing' }, 'en'), '5.00 nothing');
});

test('a size is shown in the largest unit in which the number is at least 1', () => {
  assert.is(bytesText(0, 'en'), '0 byte');
  assert.is(bytesText(1_500_000_000, 'en'), '1.5 GB');
  assert.is(bytesText(999, 'en'), '999 byte');
});

const model = {
  name: 'checks',
  state: 'live',
  position: 5,
  lag_seconds: 0,
  is_rebuilding: false,
  set_aside: 0,
  error: null,
};

test('a read model is shown as major if it is stopped, as degraded if it is late, and as maintenance while it is being built', () => {
  assert.is(stateOfModel(model), 'operational');
  assert.is(stateOfModel({ ...model, state: 'building', is_rebuilding: true }), 'maintenance');
  assert.is(stateOfModel({ ...model, lag_seconds: 60 }), 'degraded');
  assert.is(stateOfModel({ ...model, set_aside: 1 }), 'degraded');
  assert.is(stateOfModel({ ...model, state: 'stopped' }), 'major');
});

test('the health overview lists parts that are not ready before parts with a message, and leaves out healthy parts', () => {
  const part = { ready: true, state: 'active', lag_seconds: null, message: null };
  const parts = [
    { ...part, name: 'fine' },
    { ...part, name: 'reactors', message: 'Items were given up.' },
    { ...part, name: 'projection checks', ready: false, state: 'stopped' },
  ];
  assert.equal(
    attentionOf(parts).map(({ name }) => name),
    ['projection checks', 'reactors'],
  );
});

test('a reactor is shown expanded if it has work or is halted', () => {
  const reactor = { name: 'delivery', state: 'active', waiting: 0, retrying: 0, given_up: 0, oldest_seconds: null };
  assert.not(isBusy(reactor));
  assert.not(isBusy({ ...reactor, waiting: null }));
  assert.ok(isBusy({ ...reactor, given_up: 1 }));
  assert.ok(isBusy({ ...reactor, state: 'halted' }));
});

test('the wall screen shows failing checks first, the most recent failures before others, and as many tiles as fit', () => {
  const check = (id: string, since: string) => ({ id, name: id, error_message: null, since });
  const tiles = tilesOf({
    failing: [check('old', '2026-11-20T10:00:00.000000'), check('new', '2026-11-20T11:00:00.000000')],
    heartbeats: [
      { id: 'h1', name: 'late', status: 'grace', next_expected_ping: null },
      { id: 'h2', name: 'down', status: 'down', next_expected_ping: null },
    ],
    incidents: [],
  });
  assert.equal(
    tiles.map(({ name }) => name),
    ['new', 'old', 'down', 'late'],
  );
  assert.ok(fittingIn(1_920, 1_080, unitOf(1_920)) >= 6);
  assert.is(fittingIn(200, 200, unitOf(200)), 1);
});

test.run();
