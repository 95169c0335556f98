import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../service/config/config.ts';
import {
  firstStartupMessage,
  startupMessage,
  isFirstStart,
  type StartedService,
} from '../../service/startup-message.ts';

const test = suite('the startup message of the service');

const SERVICE: StartedService = {
  address: 'http://127.0.0.1:3000',
  location: './data',
  adminKey: { kind: 'generated', key: 'upt_x' },
  halted: null,
  ability: {
    types: ['web', 'api'],
    unavailable: [
      { type: 'icmp', tools: ['fping'], rights: null },
      { type: 'portscan', tools: ['nmap'], rights: null },
      { type: 'synthetic', tools: [], rights: 'Chromium is missing (apt-get install chromium).' },
    ],
  },
};

test('the message of a first start shows what is running, its URLs, and missing programs', () => {
  assert.equal(firstStartupMessage(SERVICE, readConfig({})).split('\n'), [
    'Uptrail is running at http://127.0.0.1:3000',
    '  data        ./data',
    '  admin key   upt_x (shown only once; stored in the file admin-api-key there)',
    '  console     http://127.0.0.1:3000/console, in a browser; sign in with the admin key the first time',
    '  API         http://127.0.0.1:3000/v1, documented at http://127.0.0.1:3000/docs; README.md has a five-minute tour',
    '  checks      api, web run here',
    '  missing     fping (icmp), nmap (portscan), Chromium is missing (synthetic)',
    '  e-mail      off: set MAIL_FROM and PUBLIC_URL',
    '  SMS         off: set SMS_GATEWAY_URL',
    '  public URL  not set: links in responses are only paths, and messages have none (PUBLIC_URL)',
    '  to stop     Ctrl-C; the next start continues where this one ended',
  ]);
});

test('the message of a first start shows the configuration', () => {
  const config = readConfig({
    MAIL_FROM: 'Acme <status@example.test>',
    PUBLIC_URL: 'https://status.example.test',
    SMS_GATEWAY_URL: 'https://user:secret@sms.example.test/',
  });
  const lines = firstStartupMessage(
    { ...SERVICE, adminKey: { kind: 'environment', first: true }, ability: { types: ['web'], unavailable: [] } },
    config,
  ).split('\n');
  assert.is(lines.length, 11);
  assert.is(lines[2], '  admin key   that of ADMIN_API_KEY');
  assert.equal(lines.slice(6, 10), [
    '  missing     nothing that checks need',
    '  e-mail      sent as status@example.test',
    '  SMS         on',
    '  public URL  https://status.example.test',
  ]);
  assert.not.match(lines.join('\n'), 'secret');
});

test('the startup message is short at later starts and without a terminal', () => {
  assert.is(
    startupMessage(SERVICE),
    'Uptrail is running at http://127.0.0.1:3000\nData folder: ./data\n' +
      'Admin key, shown only once and stored there in the file admin-api-key: upt_x',
  );
  const laterStart: StartedService = { ...SERVICE, adminKey: { kind: 'kept' }, halted: 'The log was restored.' };
  assert.match(startupMessage(laterStart), 'Reactors are halted. The log was restored.');
  assert.equal(
    [
      SERVICE.adminKey,
      laterStart.adminKey,
      { kind: 'environment', first: true },
      { kind: 'environment', first: false },
    ].map((adminKey) => isFirstStart({ adminKey: adminKey as StartedService['adminKey'] })),
    [true, false, true, false],
  );
});

test.run();
