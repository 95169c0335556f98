import * as assert from 'uvu/assert';
import { inTest, type HostileScript, type Ran } from '../hostile-script.ts';
import { SECRET_PORT, WAITING } from './second-script.ts';

/** Returns a script that requests each address in every available way, and reports the results. */
const asking = (urls: readonly string[]): string =>
  inTest(`
  const byHttp = (url) => new Promise((resolve, reject) => {
    require('node:http').get(url, (answer) => { answer.resume(); resolve(answer.statusCode); }).on('error', reject);
  });
  for (const url of ${JSON.stringify(urls)}) {
    found(await attempt(async () => (await fetch(url)).text()));
    found(await attempt(() => byHttp(url)));
    const answer = await attempt(async () => (await request.get(url)).status());
    found(answer === 403 ? 'refused' : answer);
  }`);

/** Asserts that the script reached nothing, and that its log says what the proxy refused. */
const refusedAs =
  (...notes: RegExp[]) =>
  ({ found, logs, outcome }: Ran): void => {
    assert.is(outcome.status, 'ok', outcome.error_message ?? '');
    assert.ok(found.length > 0);
    for (const one of found) assert.not.match(String(one), /^(200|connected|<)/);
    for (const note of notes)
      assert.ok(
        logs.some((message) => note.test(message)),
        logs.join('\n'),
      );
  };

/** Returns a script that connects to addresses with raw sockets, although scripts may not import the module. */
const connecting = (places: string): string =>
  inTest(`
  for (const place of ${places})
    found(await new Promise((resolve) => {
      const socket = real('net').connect(place, () => { socket.destroy(); resolve('connected'); });
      socket.on('error', (error) => resolve(error.code));
    }));`);

/** Returns a script that sends bytes to its own proxy, and reports the first line of each response. */
const telling = (texts: readonly string[]): string =>
  inTest(`
  for (const text of ${JSON.stringify(texts)})
    found(await new Promise((resolve) => {
      let heard = '';
      const socket = real('net').connect('/run/uptrail/proxy.sock', () => socket.write(text));
      socket.on('data', (chunk) => { heard += chunk; }).on('error', () => undefined).on('close', () => resolve(heard.split('\\r\\n')[0]));
      setTimeout(() => socket.destroy(), 3000);
    }));`);

/** Scripts that try to reach other machines and the servers of this machine. */
export const NETWORK: readonly HostileScript[] = [
  {
    type: 'multistep',
    title: "a script can't reach cloud metadata",
    script: asking(['http://169.254.169.254/latest/meta-data/', 'http://metadata.test/', 'http://[fd00:ec2::254]/']),
    expectation: refusedAs(/169\.254\.169\.254 .*link-local/, /metadata\.test at 169\.254\.169\.254/, /fd00:ec2::254/),
  },
  {
    type: 'multistep',
    title: "a script can't reach private networks",
    script: asking(['http://10.0.0.1/', 'http://192.168.0.1:8080/', 'http://private.test/']),
    expectation: refusedAs(/10\.0\.0\.1 .*private/, /192\.168\.0\.1/, /private\.test/),
  },
  {
    type: 'multistep',
    title: "a script can't reach servers at a loopback address that the policy forbids",
    script: ({ pagePort }) => asking([`http://127.0.0.9:${pagePort}/`, `http://[::1]:${pagePort}/`]),
    expectation: refusedAs(/127\.0\.0\.9/, /::1/),
  },
  {
    type: 'multistep',
    title: "a script can't reach the database of the service, however the script writes the address of the database",
    script: ({ databasePort }) =>
      asking(
        ['127.0.0.1', 'database.test', '[::ffff:127.0.0.1]', '2130706433', 'user:password@127.0.0.1'].map(
          (host) => `http://${host}:${databasePort}/`,
        ),
      ).replace("require('node:http').get(url,", "require('node:http').get(new URL(url),"),
    expectation: refusedAs(/reserved for this service/, /database\.test/),
  },
  {
    type: 'multistep',
    title: "a script can't reach the port of the service itself",
    script: ({ service }) => asking([`http://${service}/v1/checks`]),
    expectation: refusedAs(/reserved for this service/),
  },
  {
    type: 'multistep',
    title: "a script can't reach cloud metadata through a redirect from a permitted page",
    script: ({ page }) =>
      inTest(`
  found(await attempt(async () => (await fetch('http://${page}/inwards')).text()));
  found(await attempt(async () => (await request.get('http://${page}/inwards')).text()).then((text) => text.includes('does not allow') ? 'refused' : text));`),
    expectation: refusedAs(/169\.254\.169\.254/),
  },
  {
    type: 'multistep',
    title: "a script can't reach a forbidden address by DNS rebinding, where each look-up returns another address",
    script: ({ pagePort }) =>
      inTest(`
  for (let round = 0; round < 12; round++)
    found(await attempt(async () => (await (await fetch('http://rebinding.test:${pagePort}/?' + round, { headers: { connection: 'close' } })).text()).includes('Shop')));`),
    expectation: ({ found, logs }) => {
      assert.ok(found.includes(true));
      assert.ok(found.some((one) => one !== true));
      assert.match(logs.join('\n'), /rebinding\.test at 127\.0\.0\.9/);
    },
  },
  {
    type: 'multistep',
    title: "a script can't connect to forbidden ports, such as those of mail servers",
    script: inTest(`
  for (const port of [21, 22, 25, 111, 445, 993]) found(await attempt(() => new Promise((resolve, reject) => {
    require('node:http').get({ host: '127.0.0.1', port }, resolve).on('error', reject);
  })));`),
    expectation: refusedAs(/Scripts may connect to the ports .* 127\.0\.0\.1:25/, /127\.0\.0\.1:22/),
  },
  {
    type: 'multistep',
    title: "a script that sends handwritten requests to its proxy can't reach the database or the service",
    script: ({ database, page, service }) =>
      telling([
        `CONNECT ${database} HTTP/1.1\r\nHost: ${page}\r\n\r\n`,
        `GET http://${database}/ HTTP/1.1\r\nHost: ${page}\r\nConnection: close\r\n\r\n`,
        `GET http://${page}@${service}/ HTTP/1.1\r\nHost: ${page}\r\nConnection: close\r\n\r\n`,
        `CONNECT 127.1:${database.split(':')[1] ?? ''} HTTP/1.1\r\n\r\n`,
        `GET / HTTP/1.1\r\nHost: ${database}\r\nConnection: close\r\n\r\n`,
        `GET http://${page}/ HTTP/1.1\r\nHost: ${page}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://${database}/ HTTP/1.1\r\n\r\n`,
        `\x16\x03\x01${'\0'.repeat(100)}`,
      ]),
    expectation: ({ found, logs }) => {
      assert.is(found.length, 7);
      for (const line of found) assert.match(String(line), /^(HTTP\/1\.1 (400|403|502)|$)/);
      assert.match(logs.join('\n'), /reserved for this service/);
    },
  },
  {
    type: 'multistep',
    title: "a script that opens sockets itself can't reach the servers of the machine",
    script: ({ databasePort, service, datagrams }) =>
      connecting(
        JSON.stringify([
          { host: '127.0.0.1', port: databasePort },
          { host: '127.0.0.1', port: Number(service.split(':')[1]) },
          { host: '127.0.0.9', port: databasePort },
          { host: '::1', port: datagrams },
        ]),
      ),
    expectation: ({ found }) => {
      assert.equal(found, ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED']);
    },
  },
  {
    type: 'multistep',
    title: "a script that opens sockets itself can't reach other networks",
    script: connecting(
      JSON.stringify([
        { host: '169.254.169.254', port: 80 },
        { host: '10.0.0.1', port: 80 },
        { host: 'fd00::1', port: 80 },
      ]),
    ),
    expectation: ({ found }) => {
      assert.is(found.length, 3);
      for (const code of found) assert.match(String(code), /^(ENETUNREACH|EADDRNOTAVAIL|EHOSTUNREACH)$/);
    },
  },
  {
    type: 'multistep',
    title: "a script can't connect to the socket files of the service, Docker, D-Bus and X11",
    script: ({ socket }) =>
      connecting(
        JSON.stringify(
          [
            socket,
            `/proc/1/root${socket}`,
            '/var/run/docker.sock',
            '/run/dbus/system_bus_socket',
            '/tmp/.X11-unix/X0',
          ].map((path) => ({ path })),
        ),
      ),
    expectation: ({ found }) => {
      assert.is(found.length, 5);
      for (const code of found) assert.match(String(code), /^(ENOENT|EACCES|ENOTDIR)$/);
    },
  },
  {
    type: 'multistep',
    title: "a script can't send HTTP requests to the socket file of the service",
    script: ({ socket }) =>
      inTest(`
  const http = require('node:http');
  const by = (options) => new Promise((resolve, reject) => http.get(options, resolve).on('error', reject));
  found(await attempt(() => by({ socketPath: ${JSON.stringify(socket)}, path: '/' })));
  found(await attempt(() => by({ path: '/', agent: new http.Agent({ socketPath: ${JSON.stringify(socket)} }) })));
  found(await attempt(async () => (await fetch('unix:' + ${JSON.stringify(socket)})).status));`),
    expectation: refusedAs(),
  },
  {
    type: 'multistep',
    title: "a script can't send datagrams out of its sandbox, and can't query name servers",
    script: ({ datagrams }) =>
      inTest(`
  const socket = real('dgram').createSocket('udp4');
  for (const host of ['127.0.0.1', '169.254.169.254', '10.0.0.1'])
    found(await attempt(() => new Promise((resolve, reject) => socket.send('x', ${datagrams}, host, (error) => error ? reject(error) : resolve('sent')))));
  socket.close();
  const dns = real('dns').promises;
  found(await attempt(() => dns.lookup('metadata.test')), await attempt(() => dns.resolve4('metadata.test')));
  const resolver = new dns.Resolver({ timeout: 500, tries: 1 });
  resolver.setServers(['127.0.0.1:${datagrams}', '10.0.0.1']);
  found(await attempt(() => resolver.resolve4('metadata.test')));`),
    expectation: ({ found }) => {
      // A datagram to the sandbox's own loopback reaches no server.
      assert.match(String(found[1]), /ENETUNREACH|EPERM|EADDRNOTAVAIL/);
      assert.match(String(found[2]), /ENETUNREACH|EPERM|EADDRNOTAVAIL/);
      for (const one of found.slice(3)) assert.match(String(one), /^E[A-Z_]+$/);
    },
  },
  {
    type: 'multistep',
    title: "a script that opens a socket with internal bindings of Node.js can't reach the database",
    script: ({ databasePort }) =>
      inTest(`
  const binding = await attempt(() => process.binding('tcp_wrap'));
  found(await attempt(() => new Promise((resolve) => {
    const { TCP, constants, TCPConnectWrap } = binding;
    const handle = new TCP(constants.SOCKET);
    const asked = new TCPConnectWrap();
    asked.oncomplete = (status) => resolve(status === 0 ? 'connected' : 'failed');
    const status = handle.connect(asked, '127.0.0.1', ${databasePort});
    if (status !== 0) resolve('failed');
  })));`),
    expectation: refusedAs(),
  },
  {
    type: 'multistep',
    title: "a script can't connect to the sockets of a concurrent run, although both runs use the same addresses",
    beside: WAITING,
    script: inTest(`
  await pause(1000);
  for (const place of [{ host: '127.0.0.1', port: ${SECRET_PORT} }, { path: '\\0other' }])
    found(await new Promise((resolve) => real('net').connect(place, () => resolve('connected')).on('error', (error) => resolve(error.code))));
  found(await attempt(async () => (await fetch('http://127.0.0.1:${SECRET_PORT}/')).text()));
  // The other end of a connection to its own proxy is named by where that is outside.
  found(new Set(fs.readFileSync('/proc/net/unix', 'utf8').match(/\\S*[/@]\\S+$/gm)).size);`),
    expectation: ({ found: [port, path, byProxy, sockets], beside }) => {
      assert.is(beside.status, 'ok', beside.error_message ?? '');
      assert.equal([port, path, sockets], ['ECONNREFUSED', 'ECONNREFUSED', 1]);
      assert.not.match(String(byProxy), /token/);
    },
  },
  {
    type: 'multistep',
    title: 'a script that requests a page endlessly makes at most 6,000 requests',
    timeout: 10,
    script: ({ page }) =>
      inTest(`
  let answered = 0;
  const ask = async () => { for (;;) await fetch('http://${page}/', { headers: { connection: 'close' } }).then((answer) => { answered += 1; return answer.text(); }, () => pause(5)); };
  for (let n = 0; n < 300; n++) void ask();
  await pause(6000);
  found(answered);`),
    expectation: ({ found: [answered] }, { requests }) => {
      assert.ok(Number(answered) <= 5_000);
      assert.ok(requests() <= 6_000, requests().toString());
    },
  },
];
