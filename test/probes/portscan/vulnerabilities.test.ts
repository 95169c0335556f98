import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unrecognisedPort, type OpenPort } from '../../../probes/portscan/ports.ts';
import { ENDED_VERSIONS, SERVICE_RULES } from '../../../probes/portscan/risks.ts';
import { isAtLeast, vulnerabilitiesOf } from '../../../probes/portscan/vulnerabilities.ts';

const risks = suite('risks of open ports');

const NOW = Date.parse('2026-11-22T12:00:00Z');

/** Returns an open port whose service was recognised. */
const serving = (port: number, service: string, product: string | null = null, version: string | null = null) => ({
  ...unrecognisedPort(port, 'tcp', service),
  product,
  version,
  recognised: true,
});

const levelsOf = (ports: readonly OpenPort[], now = NOW) =>
  vulnerabilitiesOf(ports, now).map(({ port, risk_level }) => [port, risk_level]);

/** Returns the risk levels and descriptions of one port, without the advice. */
const saidOf = (port: OpenPort, now = NOW) =>
  vulnerabilitiesOf([port], now).map(({ risk_level, description }) => [risk_level, description.split('. ')[0]]);

risks('a risk is recognised by its service on any port', () => {
  const cases: [OpenPort, string, string][] = [
    [serving(2_323, 'telnet', 'Linux telnetd'), 'high', 'Telnet is open'],
    [serving(10_514, 'shell', 'Netkit rshd'), 'critical', 'An r-service (rsh, rlogin, rexec) is open'],
    [serving(80, 'docker', 'Docker remote API', '20.10'), 'critical', 'The Docker API without a password is open'],
    [serving(443, 'ssl/docker', 'Docker remote API', '20.10'), 'critical', 'The Docker API without a password is open'],
    [serving(80, 'redis', 'Redis key-value store', '7.0.15'), 'critical', 'Redis without a password is open'],
    [serving(80, 'redis', 'Redis key-value store'), 'medium', 'Redis is open'],
    [serving(80, 'memcached', 'Memcached', '1.6'), 'critical', 'memcached is open'],
    [serving(80, 'mongodb', 'MongoDB', '8.0.1'), 'critical', 'MongoDB without a password is open'],
    [serving(80, 'mongodb', 'MongoDB'), 'medium', 'MongoDB is open'],
    [serving(80, 'http', 'Elasticsearch REST API', '8.1'), 'critical', 'Elasticsearch without a password is open'],
    [serving(80, 'http', 'Elasticsearch REST API'), 'medium', 'Elasticsearch is open'],
    [serving(80, 'etcd-client'), 'high', 'etcd is open'],
    [serving(80, 'ssl/kubelet'), 'high', 'The kubelet is open'],
    [serving(80, 'vnc', 'VNC'), 'high', 'VNC is open'],
    [serving(80, 'ms-wbt-server', 'Microsoft Terminal Services'), 'high', 'Remote Desktop (RDP) is open'],
    [serving(80, 'microsoft-ds', 'Microsoft Windows XP microsoft-ds'), 'high', 'SMB version 1 is open'],
    [serving(80, 'netbios-ssn', 'Samba smbd', '3.X - 4.X'), 'high', 'SMB version 1 is open'],
    [serving(80, 'netbios-ssn', 'Samba smbd', '4.6.2'), 'medium', 'Windows file sharing (SMB) is open'],
    [serving(80, 'ftp', 'vsftpd', '3.0.3'), 'medium', 'Unencrypted FTP is open'],
    [serving(80, 'postgresql', 'PostgreSQL DB', '9.6.0 or later'), 'low', 'PostgreSQL is open'],
  ];
  for (const [port, level, said] of cases) assert.equal(saidOf(port), [[level, said]], said);
  const old = { ...serving(22, 'ssh', 'OpenSSH', '7.4'), extrainfo: 'protocol 1.99' };
  assert.equal(saidOf(old), [['high', 'SSH version 1 is open']]);
});

risks('the usual port of a risky service is not a risk if another service uses the port', () => {
  const harmless = [
    serving(2_375, 'http', 'nginx', '1.26.0'),
    serving(6_379, 'ssh', 'OpenSSH', '9.2p1'),
    serving(443, 'ssl/ftp', 'vsftpd', '3.0.5'),
    serving(22, 'ssh', 'OpenSSH', '9.2p1'),
    unrecognisedPort(22, 'tcp', 'ssh'),
    unrecognisedPort(2_375, 'udp', null),
  ];
  assert.equal(levelsOf(harmless), []);
});

risks('an unrecognised service is rated by its port, and the description says so', () => {
  const [docker] = vulnerabilitiesOf([unrecognisedPort(2_375, 'tcp', 'docker')], NOW);
  assert.equal(docker, {
    port: 2_375,
    service: 'docker',
    risk_level: 'critical',
    description:
      'The Docker API without a password usually uses this port; the service that is open here was not recognised. Anyone who can reach it is root on the host. Bind it only to the Unix socket, or require client certificates.',
    detected_version: null,
  });
  const ports = [21, 23, 514, 2_379, 3_389, 5_900, 6_379, 9_200, 10_250, 11_211, 27_017].map((port) =>
    unrecognisedPort(port, 'tcp', null),
  );
  assert.is(vulnerabilitiesOf(ports, NOW).length, ports.length);
  assert.equal(levelsOf([unrecognisedPort(161, 'udp', 'snmp')]), [[161, 'medium']]);
  const kubelet = serving(10_250, 'ssl/http', 'Golang net/http server');
  assert.match(vulnerabilitiesOf([kubelet], NOW)[0]?.description ?? '', /^The kubelet usually uses this port/);
});

risks('a service version is reported from the day after the end of its support', () => {
  const mysql = (version: string) => serving(1, 'x', 'MySQL', version);
  const since = (name: string, day: string) => [
    ['medium', `${name} has had no security fixes from its developers since ${day}`],
  ];
  assert.equal(saidOf(mysql('5.7.44')), since('MySQL 5.7', '2023-10-31'));
  assert.equal(saidOf(mysql('4.1.22')), since('MySQL 4.1', '2018-12-31'));
  assert.equal(saidOf(mysql('8.0.36')), since('MySQL 8.0', '2026-04-30'));
  assert.equal(saidOf(mysql('8.0.36'), Date.parse('2026-04-30T23:00:00Z')), []);
  assert.equal(saidOf(mysql('8.4.0')), []);
  assert.equal(saidOf(mysql('5.5.5-10.4.32-MariaDB-log')), since('MariaDB 10.4', '2024-06-18'));
  assert.equal(saidOf(mysql('10.11.6-MariaDB')), []);
  assert.equal(saidOf(serving(1, 'x', 'Apache httpd', '2.2.34')), since('Apache HTTP Server 2.2', '2017-12-31'));
  assert.equal(saidOf(serving(1, 'x', 'Apache httpd', '2.4.57')), []);
  assert.equal(saidOf(serving(1, 'x', 'Apache Tomcat', '9.0.1')), []);
  assert.equal(saidOf(serving(1, 'x', 'Apache Tomcat', '10.0.2')), since('Apache Tomcat 10.0', '2022-10-31'));
  assert.equal(saidOf(serving(1, 'x', 'Apache Tomcat', '5.5')), since('Apache Tomcat 5.5', '2021-03-31'));
  assert.equal(
    saidOf(serving(1, 'x', 'Microsoft SQL Server 2014', '12.00.2000')),
    since('Microsoft SQL Server 2014', '2024-07-09'),
  );
  assert.equal(saidOf(serving(1, 'x', 'ISC BIND', '9.11.5-P4')), since('BIND 9.11', '2022-03-31'));
  assert.equal(saidOf(serving(1, 'x', 'ISC BIND', '9.20.1')), []);
});

risks('a service version of which nmap is not sure is not reported', () => {
  for (const version of ['9.6.0 or later', '3.X - 4.X', '2', '', 'v2', '99999999999.1'])
    assert.equal(saidOf(serving(1, 'x', 'PostgreSQL DB', version === '2' ? '' : version)), [], version);
  assert.equal(saidOf(serving(1, 'x', 'PostgreSQL DB', null)), []);
});

risks('the worst risks are listed first, with the detected versions', () => {
  const old = serving(3_306, 'mysql', 'MySQL', '5.7.1');
  const found = vulnerabilitiesOf([old, serving(23, 'telnet'), unrecognisedPort(512, 'tcp', 'exec')], NOW);
  assert.equal(
    found.map(({ port, risk_level }) => [port, risk_level]),
    [
      [512, 'critical'],
      [23, 'high'],
      [3_306, 'medium'],
      [3_306, 'low'],
    ],
  );
  assert.is(found[2]?.detected_version, 'MySQL 5.7.1');
});

risks('risk levels can be compared', () => {
  assert.ok(isAtLeast('critical', 'high') && isAtLeast('high', 'high') && isAtLeast('info', 'info'));
  assert.not.ok(isAtLeast('medium', 'high'));
});

risks('every entry of the risk table is complete', () => {
  for (const { name, advice, services, ports } of SERVICE_RULES) {
    assert.match(advice, /\.$/, name);
    assert.ok(services.length + (ports?.length ?? 0) > 0, name);
  }
  for (const { name, ended } of ENDED_VERSIONS)
    for (const [series, day] of ended) {
      assert.match(series, /^\d+(\.\d+)?$/, name);
      assert.is(new Date(day).toISOString().slice(0, 10), day, name);
    }
});

risks.run();
