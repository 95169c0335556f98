import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookUpRegistration } from './look-up.ts';
import { IANA, listOf, localWorld, REGISTRY, type LocalWorld, type World } from './registries.ts';

const whois = suite('looking up registrations by WHOIS');

/** Simulates registries without RDAP. IANA's WHOIS server refers to a registry. */
const worldOf = (says: (server: string, question: string) => string | Buffer | null, more: World = {}) =>
  localWorld({
    bootstrap: listOf(),
    whois: (server, question) =>
      server === IANA ? `domain: X\n\nwhois:        ${REGISTRY}\n` : says(server, question),
    ...more,
  });

const inWorld = async (world: Promise<LocalWorld>, run: (world: LocalWorld) => Promise<void>): Promise<void> => {
  const open = await world;
  try {
    await run(open);
  } finally {
    await open.close();
  }
};

interface Shape {
  name: string;
  domain: string;
  answer: string;
  registrar: string | null;
  created: string | null;
  expires: string | null;
  updated: string | null;
  status: string[];
}

const SHAPES: readonly Shape[] = [
  {
    name: 'of Verisign',
    domain: 'example.com',
    answer: [
      '   Domain Name: EXAMPLE.COM',
      '   Registry Domain ID: 1_DOMAIN_COM-VRSN',
      '   Registrar WHOIS Server: whois.registrar.test',
      '   Registrar URL: http://www.registrar.test',
      '   Updated Date: 2026-08-14T07:01:44Z',
      '   Creation Date: 1995-08-14T04:00:00Z',
      '   Registry Expiry Date: 2027-08-13T04:00:00Z',
      '   Registrar: Registrar of Names, Inc.',
      '   Registrar IANA ID: 376',
      '   Registrar Abuse Contact Email: abuse@registrar.test',
      '   Domain Status: clientDeleteProhibited https://icann.org/epp#clientDeleteProhibited',
      '   Domain Status: clientTransferProhibited https://icann.org/epp#clientTransferProhibited',
      '   Name Server: A.NS.TEST',
      '   DNSSEC: signedDelegation',
      '>>> Last update of whois database: 2026-11-22T00:00:00Z <<<',
      '',
      'NOTICE: The expiration date displayed in this record is the date the',
      "registrar's sponsorship of the domain name registration in the registry is",
      'currently set to expire.',
    ].join('\r\n'),
    registrar: 'Registrar of Names, Inc.',
    created: '1995-08-14T04:00:00.000Z',
    expires: '2027-08-13T04:00:00.000Z',
    updated: '2026-08-14T07:01:44.000Z',
    status: ['clientDeleteProhibited', 'clientTransferProhibited'],
  },
  {
    name: 'of Nominet (.uk)',
    domain: 'example.co.uk',
    answer: [
      '',
      '    Domain name:',
      '        example.co.uk',
      '',
      '    Data validation:',
      '        Nominet was able to match the data on 10-Dec-2012',
      '',
      '    Registrar:',
      '        Names Ltd t/a Names [Tag = NAMES]',
      '        URL: https://names.test',
      '',
      '    Relevant dates:',
      '        Registered on: 26-Nov-1996',
      '        Expiry date:  26-Nov-2027',
      '        Last updated:  03-Nov-2026',
      '',
      '    Registration status:',
      '        Registered until expiry date.',
      '',
      '    Name servers:',
      '        ns1.names.test',
    ].join('\r\n'),
    registrar: 'Names Ltd t/a Names',
    created: '1996-11-26T00:00:00.000Z',
    expires: '2027-11-26T00:00:00.000Z',
    updated: '2026-11-03T00:00:00.000Z',
    status: ['Registered until expiry date.'],
  },
  {
    name: 'of DENIC (.de), which contains neither the registrar nor the expiry date',
    domain: 'example.de',
    answer:
      '% Restricted rights.\n\nDomain: example.de\nNserver: ns1.example.de 192.0.2.1\nStatus: connect\nChanged: 2026-03-12T21:44:25+01:00\n',
    registrar: null,
    created: null,
    expires: null,
    updated: '2026-03-12T20:44:25.000Z',
    status: ['connect'],
  },
  {
    name: 'of AFNIC (.fr)',
    domain: 'example.fr',
    answer: [
      '%%',
      '%% This is the AFNIC Whois server.',
      'domain:                        example.fr',
      'status:                        ACTIVE',
      'eppstatus:                     serverUpdateProhibited',
      'eppstatus:                     active',
      'hold:                          NO',
      'registrar:                     NOMS SARL',
      'Expiry Date:                   2027-02-13T10:18:18Z',
      'created:                       2004-02-13T10:18:18Z',
      'last-update:                   2026-01-14T15:00:11.632164Z',
      'source:                        FRNIC',
      '',
      'registrar:                     NOMS SARL',
      'created:                       1999-10-21T00:00:00Z',
    ].join('\n'),
    registrar: 'NOMS SARL',
    created: '2004-02-13T10:18:18.000Z',
    expires: '2027-02-13T10:18:18.000Z',
    updated: '2026-01-14T15:00:11.000Z',
    status: ['ok', 'serverUpdateProhibited'],
  },
  {
    name: 'of TCI (.ru)',
    domain: 'example.ru',
    answer: [
      '% TCI Whois Service. Terms of use:',
      '',
      'domain:        EXAMPLE.RU',
      'nserver:       ns1.example.ru.',
      'state:         REGISTERED, DELEGATED, VERIFIED',
      'org:           Example LLC',
      'registrar:     NAMES-RU',
      'created:       2001-09-23T20:00:00Z',
      'paid-till:     2027-09-23T21:00:00Z',
      'free-date:     2027-10-25',
      'source:        TCI',
    ].join('\n'),
    registrar: 'NAMES-RU',
    created: '2001-09-23T20:00:00.000Z',
    expires: '2027-09-23T21:00:00.000Z',
    updated: null,
    status: ['REGISTERED', 'DELEGATED', 'VERIFIED'],
  },
  {
    name: 'of JPRS (.jp)',
    domain: 'example.jp',
    answer: [
      '[ JPRS database provides information on network administration.             ]',
      'Domain Information:',
      '[Domain Name]                   EXAMPLE.JP',
      '',
      '[Registrant]                    Example K.K.',
      '',
      '[Created on]                    2001/03/26',
      '[Expires on]                    2027/03/31',
      '[Status]                        Active',
      '[Last Updated]                  2026/04/01 01:05:05 (JST)',
    ].join('\n'),
    registrar: null,
    created: '2001-03-26T00:00:00.000Z',
    expires: '2027-03-31T00:00:00.000Z',
    updated: '2026-03-31T16:05:05.000Z',
    status: ['ok'],
  },
  {
    name: 'of Registro.it (.it)',
    domain: 'example.it',
    answer: [
      'Domain:             example.it',
      'Status:             ok',
      'Signed:             no',
      'Created:            1999-12-10 00:00:00',
      'Last Update:        2026-05-06 00:52:08',
      'Expire Date:        2027-04-20',
      '',
      'Registrant',
      '  Organization:     Esempio S.p.A.',
      '',
      'Registrar',
      '  Organization:     Nomi S.r.l.',
      '  Name:             NOMI-REG',
    ].join('\n'),
    registrar: 'Nomi S.r.l.',
    created: '1999-12-10T00:00:00.000Z',
    expires: '2027-04-20T00:00:00.000Z',
    updated: '2026-05-06T00:52:08.000Z',
    status: ['ok'],
  },
  {
    name: 'of NASK (.pl)',
    domain: 'example.pl',
    answer: [
      '',
      'DOMAIN NAME:           example.pl',
      'registrant type:       organization',
      'created:               2003.01.01 12:00:00',
      'last modified:         2026.01.05 09:14:21',
      'renewal date:          2027.01.01 14:00:00',
      '',
      'REGISTRAR:',
      'nazwy.pl sp. z o.o.',
      'ul. Przykładowa 1',
      'www.nazwy.test',
    ].join('\r\n'),
    registrar: 'nazwy.pl sp. z o.o.',
    created: '2003-01-01T12:00:00.000Z',
    expires: '2027-01-01T14:00:00.000Z',
    updated: '2026-01-05T09:14:21.000Z',
    status: [],
  },
  {
    name: 'of Traficom (.fi)',
    domain: 'example.fi',
    answer: [
      '',
      'domain.............: example.fi',
      'status.............: Registered',
      'created............: 24.10.2006 16:27:45',
      'expires............: 4.7.2027 10:15:55',
      'modified...........: 3.6.2026 08:00:00',
      'RegistryLock.......: no',
      '',
      'Registrar',
      '',
      'registrar..........: Nimet Oy',
      'www................: www.nimet.test',
    ].join('\r\n'),
    registrar: 'Nimet Oy',
    created: '2006-10-24T16:27:45.000Z',
    expires: '2027-07-04T10:15:55.000Z',
    updated: '2026-06-03T08:00:00.000Z',
    status: ['Registered'],
  },
  {
    name: 'of Registro.br (.br)',
    domain: 'example.com.br',
    answer: [
      '% Copyright (c) Nic.br',
      '',
      'domain:      example.com.br',
      'owner:       Exemplo Ltda',
      'created:     19990518 #162310',
      'changed:     20260430',
      'expires:     20270518',
      'status:      published',
      '',
      'nic-hdl-br:  EXB1',
      'created:     20020101',
      'changed:     20251225',
    ].join('\n'),
    registrar: null,
    created: '1999-05-18T00:00:00.000Z',
    expires: '2027-05-18T00:00:00.000Z',
    updated: '2026-04-30T00:00:00.000Z',
    status: ['published'],
  },
  {
    name: 'of CNNIC (.cn)',
    domain: 'example.cn',
    answer: [
      'Domain Name: example.cn',
      'ROID: 20030311s10001s00033735-cn',
      'Domain Status: clientTransferProhibited',
      'Registrant: 例子公司',
      'Sponsoring Registrar: 名字有限公司',
      'Registration Time: 2003-03-17 12:20:05',
      'Expiration Time: 2027-03-17 12:48:36',
      'DNSSEC: unsigned',
    ].join('\n'),
    registrar: '名字有限公司',
    created: '2003-03-17T12:20:05.000Z',
    expires: '2027-03-17T12:48:36.000Z',
    updated: null,
    status: ['clientTransferProhibited'],
  },
  {
    name: 'of KISA (.kr)',
    domain: 'example.kr',
    answer: [
      '# ENGLISH',
      '',
      'Domain Name                 : example.kr',
      'Registrant                  : Example Co.',
      'Registered Date             : 2007. 03. 02.',
      'Last Updated Date           : 2026. 01. 10.',
      'Expiration Date             : 2027. 03. 02.',
      'Publishes                   : Y',
      'Authorized Agency           : Names Inc.(http://names.test)',
    ].join('\n'),
    registrar: 'Names Inc.(http://names.test)',
    created: '2007-03-02T00:00:00.000Z',
    expires: '2027-03-02T00:00:00.000Z',
    updated: '2026-01-10T00:00:00.000Z',
    status: [],
  },
  {
    name: 'of nic.tr (.tr)',
    domain: 'example.com.tr',
    answer: [
      '** Domain Name: example.com.tr',
      'Domain Status: Active',
      '',
      '** Registrar:',
      'NIC Handle\t\t: nms1',
      'Organization Name\t: Adlar A.S.',
      '',
      '** Additional Info:',
      'Created on..............: 2001-Aug-23.',
      'Expires on..............: 2027-Aug-22.',
    ].join('\n'),
    registrar: 'Adlar A.S.',
    created: '2001-08-23T00:00:00.000Z',
    expires: '2027-08-22T00:00:00.000Z',
    updated: null,
    status: ['ok'],
  },
  {
    name: 'of TWNIC (.tw)',
    domain: 'example.com.tw',
    answer: [
      'Domain Name: example.com.tw',
      '   Domain Status: ok',
      '   Record expires on 2027-05-31 00:00:00 (UTC+8)',
      '   Record created on 1990-05-31 00:00:00 (UTC+8)',
      '',
      'Registration Service Provider: NAMES',
    ].join('\n'),
    registrar: 'NAMES',
    created: '1990-05-30T16:00:00.000Z',
    expires: '2027-05-30T16:00:00.000Z',
    updated: null,
    status: ['ok'],
  },
];

/** Responses of which only the dates are tested: creation, expiry and last change of the domain. */
const LAYOUTS: readonly [
  domain: string,
  answer: string,
  created: string | null,
  expires: string | null,
  updated: string | null,
][] = [
  [
    'a.co.jp',
    'Domain Information:\na. [Domain Name]                A.CO.JP\n[State]                         Connected (2027/03/31)\n' +
      '[Registered Date]               2001/03/22\n[Last Update]                   2026/04/01 01:05:22 (JST)\n',
    ...(['2001-03-22T00:00:00.000Z', '2027-03-31T00:00:00.000Z', '2026-03-31T16:05:22.000Z'] as const),
  ],
  [
    'a.co.th',
    'Domain Name: A.CO.TH\nRegistrar: Names\nUpdated date: 30 Sep 2026\nCreated date: 8 Oct 2004\nExp date: 7 Oct 2027\n',
    ...(['2004-10-08T00:00:00.000Z', '2027-10-07T00:00:00.000Z', '2026-09-30T00:00:00.000Z'] as const),
  ],
  [
    'a.com.my',
    'a [Domain Name]              a.com.my\nc [Record Created]           31-JUL-1997\n' +
      'd [Record Expired]           30-JUL-2027\ne [Record Last Modified]     23-JUN-2026\n',
    ...(['1997-07-31T00:00:00.000Z', '2027-07-30T00:00:00.000Z', '2026-06-23T00:00:00.000Z'] as const),
  ],
  [
    'a.tk',
    'Domain name:\n   A.TK\n\n   Domain registered: 11/05/2001\n   Record will expire on: 04/12/2027\n',
    ...(['2001-11-05T00:00:00.000Z', '2027-04-12T00:00:00.000Z', null] as const),
  ],
  [
    'a.kg',
    '% comment\n\nDomain A.KG\n\nDomain support:  Names\n\nRecord created: Tue Feb 10 09:42:42 2004\n' +
      'Record last updated on Mon Apr 20 21:47:14 2026\nRecord expires on Tue Mar 30 23:59:00 2027\n',
    ...(['2004-02-10T09:42:42.000Z', '2027-03-30T23:59:00.000Z', '2026-04-20T21:47:14.000Z'] as const),
  ],
  ['a.tm', '\nDomain : a.tm\nStatus : Client Updt Lock\nExpiry : 2027-01-30\n', null, '2027-01-30T00:00:00.000Z', null],
  [
    'a.com.ly',
    'Domain Name: a.com.ly\nCreated: 2003-11-09\nUpdated: 2026-10-05\nExpired: 2027-11-08\n',
    ...(['2003-11-09T00:00:00.000Z', '2027-11-08T00:00:00.000Z', '2026-10-05T00:00:00.000Z'] as const),
  ],
  [
    'a.ug',
    'Domain:             a.ug\nRegistered:         1st November, 2011\nExpiry:             2nd December, 2027\n' +
      'Status:             ACTIVE\nUpdated:            01/11/2026 23:27:38 EAT\n\nUpdated:            01/12/2026 01:33:43 EAT\n',
    ...(['2011-11-01T00:00:00.000Z', '2027-12-02T00:00:00.000Z', '2026-11-01T20:27:38.000Z'] as const),
  ],
  [
    'a.ir',
    '% comment\ndomain:\t\ta.ir\nlast-updated:\t2026-08-01\nexpire-date:\t2027-09-01\nsource:\t\tNIC # Filtered\n',
    ...([null, '2027-09-01T00:00:00.000Z', '2026-08-01T00:00:00.000Z'] as const),
  ],
  [
    'a.md',
    'Domain  name    a.md\nDomain state    OK\nRegistered      2006-05-05\nExpires on      2027-05-05\nNameserver      ns1.a.md\n',
    ...(['2006-05-05T00:00:00.000Z', '2027-05-05T00:00:00.000Z', null] as const),
  ],
  [
    'a.pt',
    'Nome de domínio / Domain Name: a.pt\nData de registo / Creation Date (dd/mm/yyyy): 09/01/2003\n' +
      'Data de expiração / Expiration Date (dd/mm/yyyy): 02/11/2027\nEstado / Status: ACTIVE\n',
    ...(['2003-01-09T00:00:00.000Z', '2027-11-02T00:00:00.000Z', null] as const),
  ],
  [
    'a.pf',
    'Status : Active\nCreated (JJ/MM/AAAA) : 02/03/2001\nExpire (JJ/MM/AAAA) : 04/05/2027\n',
    ...(['2001-03-02T00:00:00.000Z', '2027-05-04T00:00:00.000Z', null] as const),
  ],
  [
    'a.cl',
    'Domain name: a.cl\nRegistrar name: Names\nCreation date: 2002-10-22 17:48:23 CLST\nExpiration date: 2027-11-20 14:48:02 CLST\n',
    ...(['2002-10-22T20:48:23.000Z', '2027-11-20T17:48:02.000Z', null] as const),
  ],
  [
    'a.com.ua',
    'domain:           a.com.ua\nstatus:           OK-UNTIL 20271204000000\n',
    ...([null, '2027-12-04T00:00:00.000Z', null] as const),
  ],
  [
    'a.tn',
    'Domain name.........: a.tn\nRegistrar...........: Names\nCreation date.......: 14-05-2009 10:30:00 GMT+1\nExpiration date.....: 03-04-2027\n',
    ...(['2009-05-14T09:30:00.000Z', '2027-04-03T00:00:00.000Z', null] as const),
  ],
  [
    'a.tg',
    'Domain:.............a.tg\nRegistrar:..........Names\nActivation:.........2005-07-06\nExpiration:.........2027-07-05\n',
    ...([null, '2027-07-05T00:00:00.000Z', null] as const),
  ],
  // The order of day and month is unknown for this registry, so the date could be either of two days.
  ['a.zz', 'Registrar: Names\nExpiry Date: 04/12/2027\n', null, null, null],
];

for (const [domain, answer, ...dates] of LAYOUTS)
  whois(`WHOIS dates are read from a response in the format of ${domain}`, () =>
    inWorld(
      worldOf((server) => (server === REGISTRY ? answer : '')),
      async (world) => {
        const { info, error } = await lookUpRegistration(domain, world);
        assert.is(error, null);
        assert.equal([info?.creation_date, info?.expiration_date, info?.updated_date], dates);
      },
    ),
  );

whois('a WHOIS status is shown without its expiry date', () =>
  inWorld(
    worldOf(() => '[State]    Connected (2027/03/31)\n'),
    async (world) => {
      assert.equal((await lookUpRegistration('a.co.jp', world)).info?.status, ['Connected']);
    },
  ),
);

whois(
  'for suffixes with a registry of their own, such as ac.uk, WHOIS queries that registry instead of the top-level registry',
  () =>
    inWorld(
      worldOf(
        () =>
          'Domain:\n\ta.ac.uk\n\nRegistered By:\n\tNames Ltd\n\nServers:\n\tns1.a.ac.uk\t192.0.2.1\n\n' +
          'Renewal date:\n\tWednesday 16th Jun 2027\n\nEntry updated:\n\tFriday 20th March 2026\n\n' +
          'Entry created:\n\tFriday 7th November 2003\n',
      ),
      async (world) => {
        const hosts = { 'whois.nic.ac.uk': [REGISTRY], 'whois.gov.uk': [REGISTRY] };
        const { info } = await lookUpRegistration('www.a.ac.uk', world, { hosts });
        assert.equal(info, {
          domain_name: 'a.ac.uk',
          registrar: 'Names Ltd',
          creation_date: '2003-11-07T00:00:00.000Z',
          expiration_date: '2027-06-16T00:00:00.000Z',
          updated_date: '2026-03-20T00:00:00.000Z',
          status: [],
        });
        assert.is(
          (await lookUpRegistration('b.gov.uk', world, { hosts })).info?.expiration_date,
          info?.expiration_date,
        );
        assert.equal(world.requests, [`${REGISTRY} a.ac.uk`, `${REGISTRY} b.gov.uk`]);
      },
    ),
);

for (const { name, domain, answer, registrar, created, expires, updated, status } of SHAPES) {
  whois(`WHOIS data is read from a response in the format ${name}`, () =>
    inWorld(
      worldOf((server) => (server === REGISTRY ? answer : '')),
      async (world) => {
        const { info, error } = await lookUpRegistration(`www.${domain}`, world);
        assert.is(error, null);
        assert.equal(info, {
          domain_name: domain,
          registrar,
          creation_date: created,
          expiration_date: expires,
          updated_date: updated,
          status,
        });
      },
    ),
  );
}

whois.run();
