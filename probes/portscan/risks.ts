import type { RiskLevel } from '../../domain/check/types/portscan-risk.ts';

/*
 * Services that should not be exposed to a network. The table was made for Uptrail. It contains no CVE numbers, because
 * distributions fix vulnerabilities without changing the version number.
 * - critical: anyone who can reach the port controls the machine or its data, without a password
 * - high: passwords or data in clear text, no password, or frequently compromised
 * - medium: meant for one machine or a closed network, although it requires a password
 * - low: common, but better not open to everybody
 */

/** A kind of service that should not be open. The first matching rule applies to a port. */
export interface ServiceRule {
  name: string;
  /** nmap's names of the service, with the prefix `ssl/` if it uses TLS */
  services: readonly string[];
  /** pattern of nmap's product name; absent: any product */
  product?: RegExp;
  /** pattern of nmap's additional information; absent: any */
  extrainfo?: RegExp;
  /** if true, the rule applies only if nmap could read a version, which shows that no password is needed */
  answers?: boolean;
  /**
   * usual ports; on these, the rule also applies to a service that was not recognised, or was recognised only as HTTP
   */
  ports?: readonly number[];
  /** restricts the rule to UDP or TCP; absent: both */
  protocol?: 'tcp' | 'udp';
  risk: RiskLevel;
  /** the problem and the remedy */
  advice: string;
}

const NEEDED = 'Allow access only from hosts that need it';

/**
 * Sources: the services' own security pages, cited where one exists; the "Accessible …" reports of the Shadowserver
 * Foundation (https://www.shadowserver.org/what-we-do/network-reporting/); US-CERT TA14-017A on amplification
 * (https://www.cisa.gov/news-events/alerts/2014/01/17/udp-based-amplification-attacks).
 */
export const SERVICE_RULES: readonly ServiceRule[] = [
  // Shells and remote desktops
  {
    name: 'Telnet',
    services: ['telnet'],
    ports: [23],
    protocol: 'tcp',
    risk: 'high',
    advice: 'It sends passwords and everything else in the clear. Use SSH instead, and turn Telnet off.',
  },
  {
    // RFC 1282: hosts are trusted by their address.
    name: 'An r-service (rsh, rlogin, rexec)',
    services: ['shell', 'login', 'exec', 'rsh', 'rlogin', 'rexec'],
    ports: [512, 513, 514],
    protocol: 'tcp',
    risk: 'critical',
    advice: 'It trusts other hosts by their address and sends passwords in the clear. Use SSH instead.',
  },
  {
    // RFC 4253, section 5; OpenSSH removed version 1 in 7.6 (https://www.openssh.com/txt/release-7.6).
    name: 'SSH version 1',
    services: ['ssh'],
    extrainfo: /protocol 1\.\d/,
    risk: 'high',
    advice: 'Version 1 of the protocol is broken. Configure the server to accept only version 2.',
  },
  {
    name: 'VNC',
    services: ['vnc', 'vnc-1', 'vnc-2', 'vnc-3', 'vnc-http'],
    ports: [5900, 5901, 5902, 5903, 5800],
    protocol: 'tcp',
    risk: 'high',
    advice:
      'Its passwords are short and most of its traffic is in the clear. Make it reachable only through SSH or a VPN.',
  },
  {
    // https://www.cisa.gov/stopransomware: RDP is a common entry point.
    name: 'Remote Desktop (RDP)',
    services: ['ms-wbt-server'],
    ports: [3389],
    risk: 'high',
    advice: 'It is a common entry point for ransomware. Make it reachable only through a VPN or a gateway.',
  },
  {
    name: 'X11',
    services: ['X11', 'x11'],
    ports: [6000, 6001, 6002, 6003],
    protocol: 'tcp',
    risk: 'high',
    advice: 'Anyone who can connect sees the screen and the keystrokes. Start it with -nolisten tcp, and use ssh -X.',
  },
  {
    name: 'Windows remote management (WinRM)',
    services: ['wsman', 'wsmans'],
    ports: [5985, 5986],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED} to administer the machine.`,
  },
  {
    // https://developer.android.com/tools/adb
    name: 'The Android Debug Bridge',
    services: ['adb'],
    ports: [5555],
    protocol: 'tcp',
    risk: 'critical',
    advice: 'It gives a shell to anyone who connects. Turn off debugging over the network.',
  },
  {
    // https://docs.oracle.com/en/java/javase/17/docs/specs/jpda/conninv.html: no authentication.
    name: 'A Java debugger (JDWP)',
    services: ['jdwp'],
    protocol: 'tcp',
    risk: 'critical',
    advice: 'It runs any code without a password. Start Java without the jdwp agent, or bind the agent to 127.0.0.1.',
  },
  {
    name: 'Java RMI',
    services: ['java-rmi', 'rmiregistry'],
    ports: [1099],
    protocol: 'tcp',
    risk: 'high',
    advice: `Objects sent to it may run code. ${NEEDED}, and require a password and TLS for JMX.`,
  },

  // Files
  {
    name: 'Unencrypted FTP',
    services: ['ftp'],
    ports: [21],
    protocol: 'tcp',
    risk: 'medium',
    advice:
      'Passwords and files are sent in the clear unless the client asks for TLS. Require TLS, or use SFTP instead.',
  },
  {
    name: 'TFTP',
    services: ['tftp'],
    ports: [69],
    protocol: 'udp',
    risk: 'medium',
    advice: `It does not ask for passwords. ${NEEDED}.`,
  },
  {
    // nmap recognises these products by their response to an SMB 1 negotiation. For SMB 2 and later, it reports Samba
    // 4.6.2.
    // https://learn.microsoft.com/en-us/windows-server/storage/file-server/troubleshoot/smbv1-not-installed-by-default-in-windows
    name: 'SMB version 1',
    services: ['microsoft-ds', 'netbios-ssn'],
    product: /microsoft-ds|^Samba smbd 3\.|printer|print server/,
    risk: 'high',
    advice: 'Version 1 has no effective protection, and worms such as WannaCry spread through it. Turn version 1 off.',
  },
  {
    name: 'Windows file sharing (SMB)',
    services: ['microsoft-ds', 'netbios-ssn', 'netbios-ns', 'netbios-dgm'],
    ports: [137, 138, 139, 445],
    risk: 'medium',
    advice: `${NEEDED}; never open it to the internet.`,
  },
  {
    name: 'NFS',
    services: ['nfs', 'nfs_acl', 'mountd'],
    ports: [2049],
    risk: 'medium',
    advice: `It trusts clients by their address unless Kerberos is on. ${NEEDED}, and use sec=krb5p.`,
  },
  {
    name: 'The RPC portmapper',
    services: ['rpcbind'],
    ports: [111],
    risk: 'medium',
    advice: `It reveals what runs here and can be misused to flood others. ${NEEDED}.`,
  },
  {
    name: 'The Microsoft RPC endpoint mapper',
    services: ['msrpc'],
    ports: [135],
    risk: 'medium',
    advice: `${NEEDED}; never open it to the internet.`,
  },
  {
    name: 'rsync',
    services: ['rsync'],
    ports: [873],
    protocol: 'tcp',
    risk: 'medium',
    advice: 'Files are sent in the clear, often without a password. Run it over SSH.',
  },
  {
    name: 'iSCSI',
    services: ['iscsi'],
    ports: [3260],
    protocol: 'tcp',
    risk: 'medium',
    advice: `It exposes whole disks. Put it on its own network, and require CHAP. ${NEEDED}.`,
  },

  // Containers and clusters
  {
    // https://docs.docker.com/engine/security/protect-access/
    name: 'The Docker API without a password',
    services: ['docker', 'ssl/docker'],
    ports: [2375],
    protocol: 'tcp',
    risk: 'critical',
    advice:
      'Anyone who can reach it is root on the host. Bind it only to the Unix socket, or require client certificates.',
  },
  {
    name: 'The Docker API',
    services: [],
    ports: [2376],
    protocol: 'tcp',
    risk: 'medium',
    advice: `Make sure that it requires client certificates (tlsverify). ${NEEDED}.`,
  },
  {
    name: 'Docker Swarm',
    services: ['docker-swarm', 'ssl/docker-swarm'],
    ports: [2377],
    protocol: 'tcp',
    risk: 'medium',
    advice: 'Let only the nodes of the swarm reach it.',
  },
  {
    // https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/: anonymous requests are the default.
    name: 'The kubelet',
    services: ['kubelet', 'ssl/kubelet'],
    ports: [10_250, 10_255],
    protocol: 'tcp',
    risk: 'high',
    advice: 'It can run commands in every pod. Let only the control plane reach it; set anonymous-auth=false.',
  },
  {
    // https://etcd.io/docs/latest/op-guide/security/: without client certificates anyone can read and write.
    name: 'etcd',
    services: ['etcd', 'etcd-client', 'etcd-server'],
    ports: [2379, 2380],
    protocol: 'tcp',
    risk: 'high',
    advice: 'It holds the secrets of a cluster. Let only the control plane reach it; require client certificates.',
  },
  {
    name: 'The Kubernetes API',
    services: ['http', 'ssl/http'],
    product: /kubernetes/i,
    ports: [6443],
    protocol: 'tcp',
    risk: 'low',
    advice: `${NEEDED}, and set anonymous-auth=false.`,
  },
  {
    // https://developer.hashicorp.com/consul/docs/security/acl
    name: 'Consul',
    services: ['consul'],
    ports: [8500],
    protocol: 'tcp',
    risk: 'high',
    advice: `Without ACLs anyone can change it and run checks. ${NEEDED}, and turn ACLs on.`,
  },
  {
    // https://zookeeper.apache.org/doc/current/zookeeperAdmin.html
    name: 'ZooKeeper',
    services: ['zookeeper'],
    ports: [2181],
    protocol: 'tcp',
    risk: 'high',
    advice: `It asks for no password by default. ${NEEDED}, and require SASL or client certificates.`,
  },
  {
    name: 'Hadoop',
    services: ['hadoop-ipc', 'mapreduce', 'hadoop-datanode', 'hadoop-namenode'],
    protocol: 'tcp',
    risk: 'high',
    advice: `Without Kerberos it trusts any user name. ${NEEDED}.`,
  },
  {
    name: 'The Erlang port mapper (epmd)',
    services: ['epmd'],
    ports: [4369],
    protocol: 'tcp',
    risk: 'medium',
    advice: 'It leads to nodes that run any code for anyone who knows their cookie. Let only the cluster reach it.',
  },

  // Databases and caches
  {
    // https://redis.io/docs/latest/operate/oss_and_stack/management/security/. Redis reveals its version only if it
    // needs no password. nmap requests the version on the usual port only.
    name: 'Redis without a password',
    services: ['redis', 'ssl/redis'],
    answers: true,
    protocol: 'tcp',
    risk: 'critical',
    advice:
      'Anyone can read and write the data, and take over the machine. Bind it to 127.0.0.1, and set requirepass or ACLs.',
  },
  {
    name: 'Redis',
    services: ['redis', 'ssl/redis'],
    ports: [6379],
    protocol: 'tcp',
    risk: 'medium',
    advice: `It is meant for a closed network. ${NEEDED}, and make sure that it asks for a password.`,
  },
  {
    // https://docs.memcached.org/serverguide/security/; amplification: US-CERT TA14-017A
    name: 'memcached',
    services: ['memcached', 'memcache'],
    ports: [11_211],
    risk: 'critical',
    advice:
      'It asks for no password, and over UDP it can be misused to flood others. Bind it to 127.0.0.1 (-l 127.0.0.1 -U 0).',
  },
  {
    // https://www.mongodb.com/docs/manual/administration/security-checklist/. nmap reads the version from serverStatus,
    // which needs authorization.
    name: 'MongoDB without a password',
    services: ['mongodb'],
    answers: true,
    protocol: 'tcp',
    risk: 'critical',
    advice: 'Anyone can read and change the data. Turn on authorization, and bind it to 127.0.0.1.',
  },
  {
    name: 'MongoDB',
    services: ['mongodb', 'ssl/mongodb', 'mongod'],
    ports: [27_017, 27_018, 27_019],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED}; make sure that authorization is on.`,
  },
  {
    // https://www.elastic.co/docs/deploy-manage/security. If security is on, Elasticsearch reveals its version only to
    // authenticated clients.
    name: 'Elasticsearch without a password',
    services: ['http', 'ssl/http', 'elasticsearch'],
    product: /^(?:Elasticsearch|OpenSearch) REST API/,
    answers: true,
    protocol: 'tcp',
    risk: 'critical',
    advice: 'Anyone can read and delete the data. Turn on security, and bind it to a closed network.',
  },
  {
    name: 'Elasticsearch',
    services: ['http', 'ssl/http', 'elasticsearch'],
    product: /^(?:Elasticsearch|OpenSearch) (?:REST|binary) API/,
    ports: [9200, 9300],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED}; make sure that it asks for a password.`,
  },
  {
    name: 'Kibana',
    services: ['http', 'ssl/http'],
    product: /Kibana/,
    ports: [5601],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED}; make sure that it asks for a password.`,
  },
  {
    // https://docs.couchdb.org/en/stable/intro/security.html
    name: 'CouchDB',
    services: ['http', 'ssl/http', 'couchdb'],
    product: /CouchDB/,
    ports: [5984],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED}; make sure that it has an administrator and that require_valid_user is on.`,
  },
  {
    // https://cassandra.apache.org/doc/latest/cassandra/managing/operating/security.html: AllowAllAuthenticator is the
    // default.
    name: 'Cassandra',
    services: ['cassandra-native', 'cassandra'],
    ports: [9042, 9160],
    protocol: 'tcp',
    risk: 'high',
    advice: `It asks for no password by default. ${NEEDED}, and use PasswordAuthenticator.`,
  },
  {
    name: 'InfluxDB',
    services: ['http', 'ssl/http'],
    product: /InfluxDB/,
    ports: [8086],
    protocol: 'tcp',
    risk: 'medium',
    advice: `${NEEDED}; make sure that it asks for a password.`,
  },
  {
    name: 'RethinkDB',
    services: ['rethinkdb', 'rethinkdb-client', 'rethinkdb-intracluster'],
    ports: [28_015, 29_015],
    protocol: 'tcp',
    risk: 'high',
    advice: `It has no password by default. ${NEEDED}.`,
  },
  {
    name: 'MySQL or MariaDB',
    services: ['mysql', 'ssl/mysql', 'mysqlx'],
    ports: [3306, 33_060],
    protocol: 'tcp',
    risk: 'low',
    advice: `${NEEDED}, or bind it to 127.0.0.1.`,
  },
  {
    name: 'PostgreSQL',
    services: ['postgresql', 'ssl/postgresql'],
    ports: [5432],
    protocol: 'tcp',
    risk: 'low',
    advice: `${NEEDED}, or bind it to 127.0.0.1.`,
  },
  {
    name: 'Microsoft SQL Server',
    services: ['ms-sql-s', 'ms-sql-m'],
    ports: [1433, 1434],
    risk: 'low',
    advice: `${NEEDED}.`,
  },
  {
    name: 'Oracle Database',
    services: ['oracle-tns', 'oracle'],
    ports: [1521],
    protocol: 'tcp',
    risk: 'low',
    advice: `${NEEDED}.`,
  },

  // Machines and devices
  {
    // https://www.cisa.gov/news-events/alerts/2013/07/26/risks-using-intelligent-platform-management-interface-ipmi
    name: 'IPMI',
    services: ['asf-rmcp', 'ipmi-rmcp', 'ipmi'],
    ports: [623],
    protocol: 'udp',
    risk: 'high',
    advice: 'It gives away password hashes by design. Put it on a separate management network.',
  },
  {
    // https://sec.cloudapps.cisco.com/security/center/content/CiscoSecurityAdvisory/cisco-sa-20180409-smi
    name: 'Cisco Smart Install',
    services: ['smart-install'],
    ports: [4786],
    protocol: 'tcp',
    risk: 'critical',
    advice: 'Anyone can replace the configuration of the switch. Turn it off with "no vstack".',
  },
  {
    // https://www.cisa.gov/topics/industrial-control-systems
    name: 'An industrial control protocol (Modbus, S7, BACnet, EtherNet/IP, DNP3)',
    services: ['modbus', 'mbap', 'iso-tsap', 'bacnet', 'EtherNet-IP-2', 'EtherNetIP-2', 'dnp3'],
    ports: [102, 502, 44_818, 47_808],
    risk: 'high',
    advice: 'It has no passwords: anyone who can reach it controls the machine. Make it reachable only through a VPN.',
  },
  {
    // RFC 3414, section 1
    name: 'SNMP',
    services: ['snmp'],
    ports: [161],
    protocol: 'udp',
    risk: 'medium',
    advice: `Versions 1 and 2c send their password in the clear. Use version 3. ${NEEDED}.`,
  },
  {
    // https://cwiki.apache.org/confluence/display/TOMCAT/Security (AJP belongs on trusted networks only)
    name: 'AJP',
    services: ['ajp13'],
    ports: [8009],
    protocol: 'tcp',
    risk: 'high',
    advice: 'It trusts anyone who connects. Bind it to 127.0.0.1 and set a secret, or turn it off.',
  },
  {
    name: 'Unencrypted MQTT',
    services: ['mqtt'],
    ports: [1883],
    protocol: 'tcp',
    risk: 'medium',
    advice: 'Passwords and messages are sent in the clear. Use TLS (port 8883), and require passwords.',
  },
  {
    name: 'An obsolete service (echo, discard, daytime, chargen, quote of the day)',
    services: ['echo', 'discard', 'daytime', 'chargen', 'qotd'],
    ports: [7, 9, 13, 17, 19],
    risk: 'medium',
    advice: 'Nobody needs it, and over UDP it can be misused to flood others. Turn it off.',
  },
  {
    // US-CERT TA14-017A
    name: 'A service that can be misused to flood others (SSDP, LLMNR, mDNS, CLDAP)',
    services: ['upnp', 'llmnr', 'mdns', 'zeroconf', 'ldap', 'cldap'],
    ports: [389, 1900, 5353, 5355],
    protocol: 'udp',
    risk: 'medium',
    advice: 'It is meant for the local network only. Block access from elsewhere.',
  },
  {
    name: 'Unencrypted LDAP',
    services: ['ldap'],
    ports: [389, 3268],
    protocol: 'tcp',
    risk: 'low',
    advice: `Passwords are sent in the clear unless the client asks for TLS. Require TLS. ${NEEDED}.`,
  },
  {
    name: 'Finger',
    services: ['finger'],
    ports: [79],
    protocol: 'tcp',
    risk: 'low',
    advice: 'It reveals who uses the machine. Turn it off.',
  },
  {
    name: 'Unencrypted mail (POP3, IMAP)',
    services: ['pop3', 'imap'],
    ports: [110, 143],
    protocol: 'tcp',
    risk: 'low',
    advice:
      'Passwords are sent in the clear unless the client asks for TLS. Require TLS, or use ports 995 and 993 only.',
  },
  {
    name: 'A proxy',
    services: ['http-proxy', 'socks4', 'socks5', 'socks-proxy'],
    ports: [1080, 3128],
    protocol: 'tcp',
    risk: 'low',
    advice: `An open proxy can be misused to hide attacks. ${NEEDED}.`,
  },
];

/** A product whose old versions receive no more security fixes. */
export interface EndedVersions {
  name: string;
  /**
   * pattern of nmap's product name. If the name contains the version, the first group matches it; otherwise nmap
   * reports the version separately.
   */
  product: RegExp;
  /** pattern that the version must match; needed if different products share a name */
  version?: RegExp;
  /**
   * end of support by version series (`8.5` means 8.5.x); versions older than the first series are no longer supported
   * either
   */
  ended: readonly (readonly [series: string, day: string])[];
}

/**
 * The days come from the developers of each product. A version is reported from the day after the end of its support.
 */
export const ENDED_VERSIONS: readonly EndedVersions[] = [
  {
    // https://httpd.apache.org/ ("2.2 end of life"), https://archive.apache.org/dist/httpd/
    name: 'Apache HTTP Server',
    product: /^Apache httpd$/,
    ended: [
      ['1.3', '2010-02-03'],
      ['2.0', '2013-07-10'],
      ['2.2', '2017-12-31'],
    ],
  },
  {
    // https://nginx.org/en/CHANGES (1.2.0 replaced 0.8 and 1.0)
    name: 'nginx',
    product: /^nginx$/,
    ended: [['0', '2012-04-23']],
  },
  {
    // https://learn.microsoft.com/en-us/lifecycle/products/internet-information-services-iis (support of IIS ends with
    // the support of the Windows version that includes it)
    name: 'Microsoft IIS',
    product: /^Microsoft IIS httpd$/,
    ended: [
      ['6', '2015-07-14'],
      ['7', '2020-01-14'],
      ['8', '2023-10-10'],
    ],
  },
  {
    // https://tomcat.apache.org/whichversion.html
    name: 'Apache Tomcat',
    product: /^Apache Tomcat$/,
    ended: [
      ['7', '2021-03-31'],
      ['8', '2024-03-31'],
      ['10.0', '2022-10-31'],
    ],
  },
  {
    // https://jetty.org/download.html, https://github.com/jetty/jetty.project/issues/7958 and 10485
    name: 'Jetty',
    product: /^Jetty$/,
    ended: [
      ['9', '2022-06-01'],
      ['10', '2024-01-01'],
      ['11', '2024-01-01'],
    ],
  },
  {
    // https://mariadb.org/about/#maintenance-policy
    name: 'MariaDB',
    product: /^(?:MySQL|MariaDB)$/,
    version: /MariaDB/i,
    ended: [
      ['5.5', '2020-04-11'],
      ['10.0', '2019-03-31'],
      ['10.1', '2020-10-17'],
      ['10.2', '2022-05-23'],
      ['10.3', '2023-05-25'],
      ['10.4', '2024-06-18'],
      ['10.5', '2025-06-24'],
      ['10.6', '2026-07-06'],
    ],
  },
  {
    // https://www.mysql.com/support/eol-notice.html
    name: 'MySQL',
    product: /^MySQL$/,
    ended: [
      ['5.5', '2018-12-31'],
      ['5.6', '2021-02-28'],
      ['5.7', '2023-10-31'],
      ['8.0', '2026-04-30'],
    ],
  },
  {
    // https://www.postgresql.org/support/versioning/
    name: 'PostgreSQL',
    product: /^PostgreSQL DB$/,
    ended: [
      ['9', '2021-11-11'],
      ['10', '2022-11-10'],
      ['11', '2023-11-09'],
      ['12', '2024-11-21'],
      ['13', '2025-11-13'],
      ['14', '2026-11-12'],
      ['15', '2027-11-11'],
    ],
  },
  {
    // https://www.mongodb.com/legal/support-policy/lifecycles
    name: 'MongoDB',
    product: /^MongoDB$/,
    ended: [
      ['3', '2021-04-30'],
      ['4.0', '2022-04-30'],
      ['4.2', '2023-04-30'],
      ['4.4', '2024-02-29'],
      ['5.0', '2024-10-31'],
      ['6.0', '2025-07-31'],
      ['7.0', '2027-08-31'],
    ],
  },
  {
    // https://www.elastic.co/support/eol
    name: 'Elasticsearch',
    product: /^Elasticsearch REST API$/,
    ended: [
      ['5', '2019-03-11'],
      ['6', '2022-02-10'],
      ['7', '2026-01-15'],
    ],
  },
  {
    // https://redis.io/docs/latest/operate/oss_and_stack/install/ (the two newest versions are supported; 7.0 was
    // released on this day)
    name: 'Redis',
    product: /^Redis key-value store$/,
    ended: [['5', '2022-04-27']],
  },
  {
    // https://learn.microsoft.com/en-us/lifecycle/products/?products=sql-server (ends of extended support)
    name: 'Microsoft SQL Server',
    product: /^Microsoft SQL Server (\d{4})/,
    ended: [
      ['2005', '2016-04-12'],
      ['2008', '2019-07-09'],
      ['2012', '2022-07-12'],
      ['2014', '2024-07-09'],
      ['2016', '2026-07-14'],
      ['2017', '2027-10-12'],
    ],
  },
  {
    // https://www.oracle.com/us/assets/lifetime-support-technology-069183.pdf (ends of extended support)
    name: 'Oracle Database',
    product: /^Oracle TNS listener$/,
    ended: [
      ['11', '2020-12-31'],
      ['12.1', '2022-07-31'],
    ],
  },
  {
    // https://kb.isc.org/docs/aa-00896
    name: 'BIND',
    product: /^ISC BIND$/,
    ended: [
      ['9.11', '2022-03-31'],
      ['9.16', '2024-04-30'],
    ],
  },
  {
    // https://security.appspot.com/vsftpd.html (3.0.0 replaced 2.3.5)
    name: 'vsftpd',
    product: /^vsftpd$/,
    ended: [['2', '2012-04-10']],
  },
  {
    // https://wiki.samba.org/index.php/Samba_Release_Planning
    name: 'Samba',
    product: /^Samba smbd$/,
    ended: [['3', '2015-03-04']],
  },
];
