import { createSign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../../network/clock.ts';
import type { RunContext } from '../../../../probes/engine/check-type.ts';
import { createRunCache } from '../../../../probes/engine/run-cache.ts';
import { anchorsIn } from '../../../../probes/ssl/certificate/anchors.ts';
import { readCertificate } from '../../../../probes/ssl/certificate/read-certificate.ts';
import { examineCertificate, examineRevocation, type Examined } from '../../../../probes/ssl/examine-certificate.ts';
import { handles, manyEndedEarly, noMoreThan } from '../../handles.ts';
import { contextOf, type TestRunOptions } from '../../run-context.ts';
import { closeServers, httpServer, rawServer } from '../../web/servers.ts';
import { freePort } from '../../../servers/ports.ts';
import { createAuthority, derOf, hasOpenssl, type Made, type OcspWanted } from './authority.ts';
import { DAY_MS } from '../../../../domain/time.ts';

const revoking = suite('revocation of certificates');

revoking.after.each(closeServers);

if (hasOpenssl()) {
  const authority = createAuthority();
  const { make, list, ocspResponse } = authority;
  const root = make('root', { authority: true, subject: '/CN=Root' });
  const leaf = make('leaf', { by: 'root', names: 'DNS:a.test' });
  revoking.after(() => {
    authority.close();
  });

  interface Given extends TestRunOptions {
    staple?: Buffer | null;
    now?: number;
    trusted?: readonly Made[];
    clock?: RunContext['clock'];
  }

  const examined = (certificate: Made, { staple = null, now = Date.now(), trusted = [root] }: Given = {}): Examined =>
    examineCertificate(
      { chain: [certificate.der, root.der], staple },
      { host: 'a.test', now, anchors: anchorsIn(trusted.map(({ cert }) => cert)) },
    );

  const infoOf = (one: Examined) => {
    if (!one.info) throw new Error(one.sentence);
    return one.info;
  };

  /** Queries the revocation status. @returns the result, with the port removed from its texts */
  const queryStatus = async (certificate: Made, given: Given = {}) => {
    const context = { ...contextOf(given), ...(given.clock && { clock: given.clock }) };
    const { is_revoked, revocation, problems } = infoOf(await examineRevocation(examined(certificate, given), context));
    const details = revocation.details.replace(/127\.0\.0\.1:\d+/g, '{peer}');
    return { is_revoked, ...revocation, details, problems: problems.map(({ code }) => code) };
  };

  const unknown = (details: string) => ({
    is_revoked: null,
    source: null,
    revoked_at: null,
    reason: null,
    details,
    problems: [],
  });

  const stapled = (wanted: OcspWanted, given: Given = {}) =>
    infoOf(examined(leaf, { staple: ocspResponse('leaf', 'root', wanted), ...given }));

  revoking('a stapled OCSP response determines the revocation status, with its times', () => {
    const info = stapled({});
    assert.is(info.is_revoked, false);
    assert.equal(info.revocation, {
      source: 'staple',
      revoked_at: null,
      reason: null,
      details: 'Certificate is not revoked according to the stapled OCSP response.',
    });
    const { produced_at, this_update, next_update, ...details } = info.ocsp_stapling_details;
    assert.equal(details, {
      stapled: true,
      valid: true,
      status: 'good',
      details: 'The stapled OCSP response says that the certificate is not revoked.',
    });
    assert.ok(Date.parse(`${produced_at ?? ''}Z`) - Date.parse(`${this_update ?? ''}Z`) < 10_000);
    assert.is(Date.parse(`${next_update ?? ''}Z`) - Date.parse(`${this_update ?? ''}Z`), 7 * DAY_MS);
    assert.equal(info.problems, []);
  });

  revoking('a stapled OCSP response gives the reason of a revocation', () => {
    const info = stapled({ revoked: { leaf: 'keyCompromise' } });
    assert.is(info.is_revoked, true);
    assert.equal(info.problems, [
      {
        code: 'revoked',
        details:
          'Certificate was revoked on 2026-01-02 (keyCompromise) according to the stapled OCSP response: replace it.',
      },
    ]);
    assert.equal([info.revocation.reason, info.revocation.revoked_at], ['keyCompromise', '2026-01-02T03:04:05.000000']);
  });

  /** Asserts that a stapled response is ignored, and that a note names the reason. @returns the reason */
  const refused = (staple: Buffer, given: Given = {}): string => {
    const info = infoOf(examined(leaf, { staple, ...given }));
    assert.equal([info.is_revoked, info.ocsp_stapling_details.valid], [null, false]);
    assert.ok(info.notes.includes(info.ocsp_stapling_details.details));
    assert.equal(
      info.problems.filter(({ code }) => code === 'revoked'),
      [],
    );
    return info.ocsp_stapling_details.details.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '{time}');
  };

  revoking('an invalid stapled OCSP response is ignored', () => {
    make('other', { by: 'root', names: 'DNS:b.test' });
    make('stranger', { authority: true, subject: '/CN=Root' });
    make('not-delegated', { by: 'root' });
    make('past-delegate', { by: 'root', until: '20250101000000Z', extensions: ['extendedKeyUsage = OCSPSigning'] });
    make('others-delegate', { by: 'stranger', extensions: ['extendedKeyUsage = OCSPSigning'] });
    const beginning = 'The OCSP response that the server staples';
    const good = ocspResponse('leaf', 'root');
    assert.is(refused(ocspResponse('other', 'root')), `${beginning} is about another certificate.`);
    const now = Date.now();
    assert.is(refused(good, { now: now + 8 * DAY_MS }), `${beginning} was valid only until {time} UTC.`);
    assert.is(refused(good, { now: now - DAY_MS }), `${beginning} is not valid before {time} UTC.`);
    const endless = ocspResponse('leaf', 'root', { days: null });
    assert.is(refused(endless, { now: now + 8 * DAY_MS }), `${beginning} was valid only until {time} UTC.`);
    assert.is(infoOf(examined(leaf, { staple: endless, now: now + DAY_MS })).is_revoked, false);
    for (const signer of ['not-delegated', 'past-delegate', 'others-delegate', 'leaf'])
      assert.is(
        refused(ocspResponse('leaf', 'root', { signer })),
        `${beginning} is not signed by the issuer of the certificate.`,
        signer,
      );
    // These bytes are a response with the error "tryLater".
    assert.is(refused(Buffer.from('30030a0103', 'hex')), `${beginning} reports the error "tryLater".`);
    for (const bytes of [Buffer.from('no response'), good.subarray(0, 100), Buffer.alloc(0)])
      assert.is(refused(bytes), `${beginning} cannot be read.`);
    const changed = Buffer.from(good);
    // This changes the last digit of the response's creation time.
    const at = good.indexOf('Z') - 1;
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.is(refused(changed), `${beginning} is not signed by the issuer of the certificate.`);
    assert.is(
      infoOf(examined(leaf, { staple: ocspResponse('leaf', 'root', { known: [] }) })).ocsp_stapling_details.status,
      'unknown',
    );
  });

  revoking('a delegated OCSP responder is accepted if the response names its key or its name', () => {
    make('delegate', { by: 'root', extensions: ['extendedKeyUsage = OCSPSigning'] });
    assert.is(stapled({ signer: 'delegate' }).is_revoked, false);
    assert.is(stapled({ signer: 'delegate', more: ['-resp_key_id'] }).is_revoked, false);
    assert.is(stapled({ signer: 'root', more: ['-resp_key_id'], revoked: { leaf: '' } }).is_revoked, true);
  });

  revoking('a stapled OCSP response is used even if the issuer is known but not trusted', () => {
    const staple = ocspResponse('leaf', 'root', { revoked: { leaf: '' } });
    assert.is(infoOf(examined(leaf, { staple, trusted: [] })).is_revoked, true);
    const { info } = examineCertificate(
      { chain: [leaf.der], staple },
      { host: 'a.test', now: Date.now(), anchors: anchorsIn([]) },
    );
    assert.is(
      info?.ocsp_stapling_details.details,
      'The OCSP response that the server staples cannot be verified because the issuer of the certificate is not known.',
    );
  });

  type Answer = (response: ServerResponse, request: IncomingMessage) => void;

  /** Starts a server for the revocation sources of a certificate. `paths` records the requests. */
  const answering = async (answer: Answer) => {
    const paths: string[] = [];
    const server = await httpServer((request, response) => {
      paths.push(`${request.method ?? ''} ${request.url ?? ''}`);
      answer(response, request);
    });
    return { ...server, paths, at: (path: string): string => `http://127.0.0.1:${server.port}${path}` };
  };

  let numbers = 0;
  /** Creates a certificate that names these revocation sources. */
  const naming = (urls: { ocsp?: readonly string[]; crl?: readonly string[] }): { name: string; made: Made } => {
    const name = `asked-${numbers++}`;
    const ocsp = (urls.ocsp ?? []).map((url) => `OCSP;URI:${url}`).join();
    const crl = (urls.crl ?? []).map((url) => `URI:${url}`).join();
    const extensions = [
      ...(ocsp === '' ? [] : [`authorityInfoAccess = ${ocsp}`]),
      ...(crl === '' ? [] : [`crlDistributionPoints = ${crl}`]),
    ];
    return { name, made: make(name, { by: 'root', names: 'DNS:a.test', extensions }) };
  };

  /** Starts an OCSP responder that uses openssl. It records the requests. */
  const responder = async (wanted: (name: string) => OcspWanted, path = '/ocsp') => {
    let name = '';
    const server = await rawResponder((asking) => ocspResponse(name, 'root', { ...wanted(name), request: asking }));
    const made = naming({ ocsp: [`http://127.0.0.1:${server.port}${path}`] });
    name = made.name;
    return { ...made, requests: server.requests };
  };

  const rawResponder = async (answer: (asking: Buffer) => Buffer) => {
    const requests: string[] = [];
    const server = await rawServer((socket) => {
      let received = Buffer.alloc(0);
      socket.on('data', (piece: Buffer) => {
        received = Buffer.concat([received, piece]);
        const head = received.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1'))?.[1] ?? NaN);
        if (head < 0 || received.length < head + 4 + length) return;
        requests.push(received.subarray(0, head).toString('latin1').toLowerCase());
        const body = answer(received.subarray(head + 4));
        socket.end(
          Buffer.concat([
            Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`),
            body,
          ]),
        );
      });
    });
    return { ...server, requests };
  };

  revoking('the OCSP responder gets a request that openssl understands', async () => {
    const { name, made, requests } = await responder(() => ({}), '/some/path?x=1');
    assert.equal(await queryStatus(made), {
      is_revoked: false,
      source: 'ocsp',
      revoked_at: null,
      reason: null,
      details: 'Certificate is not revoked according to the OCSP responder at {peer}.',
      problems: [],
    });
    assert.is(requests.length, 1);
    assert.match(requests[0] ?? '', /^post \/some\/path\?x=1 http\/1\.1\r\n/);
    assert.match(requests[0] ?? '', /content-type: application\/ocsp-request/);
    assert.ok(name);
  });

  revoking('the reason of a revocation given by the OCSP responder is reported', async () => {
    const { made } = await responder((name) => ({ revoked: { [name]: 'superseded' } }));
    assert.equal(await queryStatus(made), {
      is_revoked: true,
      source: 'ocsp',
      revoked_at: '2026-01-02T03:04:05.000000',
      reason: 'superseded',
      details:
        'Certificate was revoked on 2026-01-02 (superseded) according to the OCSP responder at {peer}: replace it.',
      problems: ['revoked'],
    });
  });

  revoking(
    'the revocation status is cached until the next update is due, but an on-demand run always queries it',
    async () => {
      const { made, requests } = await responder(() => ({}));
      const memory = createRunCache(systemClock);
      const first = await queryStatus(made, { memory });
      assert.equal(await queryStatus(made, { memory }), first);
      assert.is(requests.length, 1);
      await queryStatus(made, { memory, fresh: true });
      assert.is(requests.length, 2);
    },
  );

  revoking(
    'the revocation status is cached for at most a day, and for a shorter time if no source knew the status',
    async () => {
      const seconds: number[] = [];
      const memory = {
        ...createRunCache(systemClock),
        set: (_: string, __: unknown, length: number) => {
          seconds.push(length);
        },
      };
      await queryStatus((await responder(() => ({ days: 7 }))).made, { memory });
      await queryStatus((await responder(() => ({ days: null }))).made, { memory });
      await queryStatus((await responder(() => ({ days: 7 }))).made, { memory, now: Date.now() });
      await queryStatus(naming({}).made, { memory });
      assert.equal(seconds, [86_400, 3_600, 86_400, 300]);
    },
  );

  const pemServer = async (lists: Record<string, string | Buffer>) =>
    answering((response, { url }) => {
      const body = lists[url ?? ''];
      response.statusCode = body === undefined ? 404 : 200;
      response.end(body);
    });

  revoking(
    'a revocation list in DER or PEM is used if there is no OCSP responder, or if the responder does not know the status',
    async () => {
      const lists: Record<string, string | Buffer> = {};
      const server = await pemServer(lists);
      const { name, made } = naming({ crl: [server.at('/list.crl')] });
      lists['/list.crl'] = derOf(list('root', { revoked: { leaf: '' } }));
      assert.equal(await queryStatus(made), {
        is_revoked: false,
        source: 'crl',
        revoked_at: null,
        reason: null,
        details: 'Certificate is not revoked according to the revocation list at {peer}.',
        problems: [],
      });
      lists['/list.crl'] = list('root', { revoked: { leaf: '', [name]: 'cessationOfOperation' } });
      const found = await queryStatus(made);
      assert.equal(
        [found.is_revoked, found.source, found.reason, found.revoked_at],
        [true, 'crl', 'cessationOfOperation', '2026-01-02T03:04:05.000000'],
      );
      const both = naming({ ocsp: [server.at('/nothing')], crl: [server.at('/gone'), server.at('/list.crl')] });
      assert.is((await queryStatus(both.made)).source, 'crl');
      assert.equal(server.paths.slice(-3), ['POST /nothing', 'GET /gone', 'GET /list.crl']);
    },
  );

  revoking('an invalid revocation list is ignored', async () => {
    const lists: Record<string, string | Buffer> = {};
    const server = await pemServer(lists);
    const url = server.at('/list.crl');
    const { made } = naming({ crl: [url] });
    const says = async (bytes: string | Buffer, given: Given = {}): Promise<string> => {
      lists['/list.crl'] = bytes;
      const { is_revoked, details } = await queryStatus(made, given);
      assert.is(is_revoked, null);
      return details.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/, '{time}');
    };
    const point = (...lines: string[]): string[] => ['issuingDistributionPoint = critical,@point', '[point]', ...lines];
    const beginning = 'The revocation list at {peer}';
    make('stranger', { authority: true, subject: '/CN=Root' });
    make('someone', { authority: true });
    const good = derOf(list('root'));
    const late = { ...systemClock, now: (): number => Date.now() + 31 * DAY_MS };
    assert.is(await says(good, { clock: late }), `${beginning} was valid only until {time} UTC.`);
    assert.is(await says(list('stranger')), `${beginning} is not signed by the issuer of the certificate.`);
    assert.is(await says(list('someone')), `${beginning} is the list of another issuer.`);
    assert.is(await says('no list'), `${beginning} cannot be read.`);
    assert.is(await says(good.subarray(0, -10)), `${beginning} cannot be read.`);
    const extended = (...extensions: string[]): string => list('root', { extensions });
    assert.is(await says(extended('2.5.29.27 = critical,DER:02:01:01')), `${beginning} lists only changes.`);
    assert.is(await says(extended('1.2.3.4 = critical,ASN1:NULL')), `${beginning} has an unknown critical extension.`);
    assert.is(await says(extended(...point('onlyCA = TRUE'))), `${beginning} covers other certificates.`);
    assert.is(await says(extended(...point('onlyAA = TRUE'))), `${beginning} covers only some revocations.`);
    assert.is(await says(extended(...point('indirectCRL = TRUE'))), `${beginning} covers only some revocations.`);
    assert.is(
      await says(extended(...point('onlysomereasons = keyCompromise'))),
      `${beginning} covers only some revocations.`,
    );
    assert.is(
      await says(extended(...point('fullname = URI:http://other.test/2.crl'))),
      `${beginning} covers other certificates.`,
    );
    lists['/list.crl'] = extended(...point(`fullname = URI:${url}`, 'onlyuser = TRUE'));
    assert.is((await queryStatus(made)).is_revoked, false);
  });

  /** Encodes an element in DER. */
  const element = (tag: number, ...parts: Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    const length = content.length.toString(16).padStart(8, '0');
    return Buffer.concat([Buffer.from([tag, 0x84]), Buffer.from(length, 'hex'), content]);
  };
  const time = (milliseconds: number): Buffer =>
    element(0x17, Buffer.from(`${new Date(milliseconds).toISOString().slice(2, 19).replace(/\D/g, '')}Z`));

  /** Returns a revocation list with this number of entries, followed by entries for these serial numbers. */
  const hugeList = (count: number, serials: readonly string[]): Buffer => {
    const entry = (serial: Buffer): Buffer => element(0x30, element(0x02, serial), time(Date.now() - DAY_MS));
    const some = Array.from({ length: count }, (_, index) => {
      const serial = Buffer.alloc(16, 0x55);
      serial.writeUInt32BE(index, 12);
      return entry(serial);
    });
    const algorithm = element(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
    const signed = element(
      0x30,
      element(0x02, Buffer.from([1])),
      algorithm,
      readCertificate(root.der).subjectDer,
      time(Date.now() - DAY_MS),
      time(Date.now() + DAY_MS),
      element(0x30, Buffer.concat([...some, ...serials.map((serial) => entry(Buffer.from(serial, 'hex')))])),
    );
    const signature = createSign('sha256').update(signed).sign(root.key);
    return element(0x30, signed, algorithm, element(0x03, Buffer.from([0]), signature));
  };

  revoking('a huge revocation list takes little memory', async () => {
    const lists: Record<string, string | Buffer> = {};
    const server = await pemServer(lists);
    const { made } = naming({ crl: [server.at('/list.crl')] });
    lists['/list.crl'] = hugeList(200_000, [readCertificate(made.der).serial]);
    assert.ok(lists['/list.crl'].length > 9_000_000 && lists['/list.crl'].length < 10 * 1024 * 1024);
    const before = process.memoryUsage.rss();
    assert.is((await queryStatus(made)).is_revoked, true);
    // The bytes arrive in pieces, which are joined once.
    const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
    assert.ok(grown < 100, `${grown} MiB`);
    // This list has four million fields and no valid signature.
    const fields = Buffer.alloc(8_000_000, Buffer.from([0x05, 0x00]));
    const algorithm = element(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
    lists['/list.crl'] = element(0x30, element(0x30, fields), algorithm, element(0x03, Buffer.from([0])));
    const heap = process.memoryUsage().heapUsed;
    assert.equal(await queryStatus(made), unknown('The revocation list at {peer} cannot be read.'));
    assert.ok(process.memoryUsage().heapUsed - heap < 50 * 1024 * 1024);
    lists['/list.crl'] = hugeList(230_000, []);
    assert.equal(
      await queryStatus(made),
      unknown("The revocation list at {peer} can't be asked: The answer of {peer} is larger than 10240 KiB."),
    );
  });

  revoking('the revocation status is unknown without a source, which is not a failure', async () => {
    assert.equal(
      await queryStatus(naming({}).made),
      unknown('The certificate names neither an OCSP responder nor a revocation list.'),
    );
    assert.equal(
      await queryStatus(naming({ ocsp: ['https://ocsp.test/'], crl: ['ldap://crl.test/'] }).made),
      unknown(
        'The OCSP responder has no http address that can be asked. The revocation list has no http address that can be asked.',
      ),
    );
  });

  revoking('the revocation status is unknown if the sources do not respond', async () => {
    const status = async (code: number, headers: Record<string, string> = {}): Promise<string> => {
      const server = await answering((response) => {
        response.writeHead(code, headers).end('x');
      });
      const { details, is_revoked } = await queryStatus(naming({ ocsp: [server.at('/')] }).made);
      assert.equal([is_revoked, server.paths], [null, ['POST /']]);
      return details;
    };
    const cant = "The OCSP responder at {peer} can't be asked:";
    assert.is(await status(500), `${cant} it answered with status 500.`);
    const elsewhere = { location: 'http://169.254.169.254/latest/meta-data/' };
    assert.is(await status(302, elsewhere), `${cant} it redirects elsewhere, and redirects are not followed.`);
    assert.is(await status(200), 'The OCSP responder at {peer} sent a response that cannot be read.');
    const talking = await answering((response) => response.end(Buffer.alloc(300_000)));
    const { details } = await queryStatus(naming({ ocsp: [talking.at('/')] }).made);
    assert.is(details, `${cant} The answer of {peer} is larger than 256 KiB.`);
    const closed = `http://127.0.0.1:${await freePort()}/`;
    assert.is((await queryStatus(naming({ ocsp: [closed] }).made)).details, `${cant} Connection refused by {peer}.`);
    const nothing = await queryStatus((await responder(() => ({ known: [] }))).made);
    assert.is(nothing.details, 'The OCSP responder at {peer} does not know the certificate.');
    const lost = await queryStatus(naming({ ocsp: ['http://ocsp.invalid/'] }).made);
    assert.is(
      lost.details,
      "The OCSP responder at ocsp.invalid can't be asked: The host name ocsp.invalid was not found.",
    );
  });

  revoking('revocation sources at addresses that the policy refuses are not queried', async () => {
    const { made } = naming({ ocsp: ['http://169.254.169.254/latest/'], crl: ['http://crl.test/list.crl'] });
    const refused = await queryStatus(made, { hosts: { 'crl.test': ['169.254.1.1'] } });
    assert.equal(
      refused,
      unknown(
        "The OCSP responder at 169.254.169.254 can't be asked: The target policy does not allow 169.254.169.254 (link-local). " +
          "The revocation list at crl.test can't be asked: The target policy does not allow crl.test at 169.254.1.1 (link-local).",
      ),
    );
  });

  revoking('untrusted certificates cause no queries of their revocation status', async () => {
    const server = await answering((response) => response.end());
    const urls = { ocsp: [server.at('/')], crl: [server.at('/list')] };
    const { made } = naming(urls);
    assert.is(
      (await queryStatus(made, { trusted: [] })).details,
      'Revocation was not checked because the certificate leads to no trusted root.',
    );
    assert.is(
      (await queryStatus(made, { trusted: [made] })).details,
      'Revocation was not checked because the certificate itself is trusted.',
    );
    const own = make('own', { names: 'DNS:a.test', extensions: [`authorityInfoAccess = OCSP;URI:${server.at('/')}`] });
    assert.is((await queryStatus(own, { trusted: [own] })).details, 'A self-signed certificate cannot be revoked.');
    const past = make('past', { by: 'root', names: 'DNS:a.test', until: '20250101000000Z' });
    assert.is(
      (await queryStatus(past)).details,
      'Revocation was not checked because authorities answer only about certificates that are valid at the time.',
    );
    assert.equal(server.paths, []);
  });

  revoking(
    'each revocation source has a time limit of five seconds, and the list is queried after a silent responder',
    async () => {
      const hanging = await rawServer(() => undefined);
      const lists: Record<string, string | Buffer> = { '/list.crl': list('root') };
      const server = await pemServer(lists);
      const silent = `http://127.0.0.1:${hanging.port}/`;
      const waits: number[] = [];
      const clock = {
        ...systemClock,
        after: (milliseconds: number, callback: () => void) => {
          waits.push(milliseconds);
          return systemClock.after(milliseconds / 25, callback);
        },
      };
      const both = naming({ ocsp: [silent], crl: [server.at('/list.crl')] });
      assert.is((await queryStatus(both.made, { clock })).source, 'crl');
      assert.equal([...new Set(waits)], [5_000]);
      assert.is(
        (await queryStatus(naming({ ocsp: [silent, silent] }).made, { clock })).details,
        "The OCSP responder at {peer} can't be asked: it gave no answer within 5 s. " +
          "The OCSP responder at {peer} can't be asked: it gave no answer within 5 s.",
      );
    },
  );

  revoking(
    'an aborted query of the revocation status ends with the signal’s reason, and leaves no handles open',
    async () => {
      const hanging = await rawServer((socket) => socket.resume().on('end', () => socket.end()));
      const silent = `http://127.0.0.1:${hanging.port}/`;
      const { made } = naming({ ocsp: [silent], crl: [silent] });
      const reason = new Error('The time is up.');
      const ending = new AbortController();
      const waiting = queryStatus(made, { signal: ending.signal });
      setTimeout(() => {
        ending.abort(reason);
      }, 50);
      assert.is(await waiting.catch((error: unknown) => error), reason);
      assert.is(
        await queryStatus(made, { signal: AbortSignal.abort(reason) }).catch((error: unknown) => error),
        reason,
      );
      const before = handles();
      await manyEndedEarly((signal) => queryStatus(made, { signal }));
      await noMoreThan(before);
    },
  );
} else {
  console.log('skipped: openssl is not installed');
}

revoking.run();
