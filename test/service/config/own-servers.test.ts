import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readVariables } from '../../../service/config/config.ts';
import { ownServersOf } from '../../../service/config/own-servers.ts';

const own = suite('the servers of the service');

const serversIn = (environment: Record<string, string>) =>
  ownServersOf(readVariables(environment, ['eventStoreDbUrl', 'mongoDbUrl', 'smtpUrl', 'mailFrom', 'otlpEndpoint']));

own("the service's own servers are all hosts and ports of EVENTSTOREDB_URL, MONGODB_URL and SMTP_URL", () => {
  assert.equal(
    serversIn({
      EVENTSTOREDB_URL: 'esdb+discover://user:p%40ss@one.test:2114,two.test?tls=false',
      MONGODB_URL: 'mongodb://user:p%2Fw@one.test,[fd00::1]:27018,10.0.0.1:27019,%2Ftmp%2Fmongodb.sock/db?replicaSet=a',
      SMTP_URL: 'smtps://user:password@mail.test',
    }),
    [
      { host: 'one.test', port: 2_114 },
      { host: 'two.test', port: 2_113 },
      { host: 'one.test', port: 27_017 },
      { host: 'fd00::1', port: 27_018 },
      { host: '10.0.0.1', port: 27_019 },
      { host: 'mail.test', port: 465 },
    ],
  );
});

own('the collector of traces is a server of the service', () => {
  const collectorOf = (OTEL_EXPORTER_OTLP_ENDPOINT: string) => serversIn({ OTEL_EXPORTER_OTLP_ENDPOINT }).at(-1);
  assert.equal(collectorOf('http://127.0.0.1:4318'), { host: '127.0.0.1', port: 4_318 });
  assert.equal(collectorOf('https://otlp.test/tenant'), { host: 'otlp.test', port: 443 });
});

own('the service’s own servers are those that SRV records name if a URL refers to SRV records', () => {
  const smtp = { host: 'mail.test', port: 25 };
  const SMTP_URL = 'smtp://mail.test';
  assert.equal(serversIn({ MONGODB_URL: 'mongodb+srv://user:pw@cluster.test/db', SMTP_URL }), [
    { host: '_mongodb._tcp.cluster.test', port: null },
    smtp,
  ]);
  assert.equal(serversIn({ MONGODB_URL: 'mongodb+srv://cluster.test/?srvServiceName=own', SMTP_URL }), [
    { host: '_own._tcp.cluster.test', port: null },
    smtp,
  ]);
});

own("the service's own servers do not include the default mail server if it is not used", () => {
  assert.equal(serversIn({}), []);
  assert.equal(serversIn({ MAIL_FROM: 'status@example.org' }), [{ host: 'localhost', port: 25 }]);
  assert.equal(serversIn({ SMTP_URL: 'smtp://127.0.0.1' }), [{ host: '127.0.0.1', port: 25 }]);
});

own.run();
