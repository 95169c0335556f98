import { suite } from 'uvu';
import { closing, hostileIn } from './hostile.ts';
import { rawServer, saying } from './servers.ts';

const failures = suite("web checks of servers that don't speak HTTP");
const hostile = hostileIn(failures);

/** @param words the part of the error message that says why the response is not valid HTTP */
const invalid = (sentence: string, answer: string | Buffer, words: string): void => {
  hostile(
    `a web check of a server ${sentence} is down`,
    () => saying(answer),
    'protocol',
    () => `The response is not valid HTTP: ${words}.`,
  );
};

/** @param protocol the protocol that the error message names */
const foreign = (sentence: string, banner: string | Buffer, protocol: string): void => {
  for (const [first, server] of [
    ['', () => saying(banner)],
    [
      ' and speaks first',
      () =>
        rawServer((socket) => {
          socket.write(banner);
        }),
    ],
  ] as const)
    hostile(
      `a web check of a server ${sentence}${first} is down`,
      server,
      'protocol',
      () => `The response is not HTTP: the server speaks ${protocol}.`,
    );
};

// Other protocols

foreign('that is an SSH server', 'SSH-2.0-OpenSSH_9.2\r\n', 'SSH');
foreign('that is a mail server', '220 mail.test ESMTP\r\n', 'a protocol such as SMTP or FTP');
foreign('that is an IMAP server', '* OK [CAPABILITY IMAP4rev1] ready\r\n', 'IMAP');
foreign('that is a POP3 server', '+OK ready\r\n', 'a protocol such as POP3 or Redis');
foreign('that is a VNC server', 'RFB 003.008\n', 'VNC');
foreign(
  'that responds in HTTP/2',
  Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 100]),
  'HTTP/2, which was not agreed on',
);
foreign('that sends the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/2, which was not agreed on');
foreign(
  'that responds with a TLS alert',
  Buffer.from([0x15, 3, 1, 0, 2, 2, 70]),
  'TLS, so its URL should begin with https',
);

// The first line

const noStatusLine = 'it does not begin with a status line';
invalid('that responds with a page without a head (HTTP/0.9)', '<html><body>hi</body></html>\r\n\r\n', noStatusLine);
invalid('that sends NULs', Buffer.alloc(100_000), noStatusLine);
invalid('that sends random bytes', Buffer.from([0xff, 0xfe, 0, 1, 2, 3]), noStatusLine);
invalid('that sends a BOM first', '\uFEFFHTTP/1.1 200 OK\r\n\r\n', noStatusLine);
invalid('that sends no status', 'HTTP/1.1 OK\r\n\r\n', 'its first line has no status code');
invalid('that sends only a version', 'HTTP/1.1\r\n\r\n', 'its first line has no status code');
invalid('that sends a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'its first line has no status code');
invalid('that sends a status below 100', 'HTTP/1.1 099 Low\r\n\r\n', 'its first line has no status code');
invalid('that names an unknown version of HTTP', 'HTTP/9.9 200 OK\r\n\r\n', 'it names a version that does not exist');

// Headers

invalid('that sends a NUL in a header', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n', 'there is a NUL in its head');
hostile(
  'a web check of a server that sends megabytes of headers is down',
  () =>
    saying('HTTP/1.1 200 OK\r\n', (socket) => {
      for (let i = 0; i < 5_000; i++) socket.write(`X-${i}: ${'v'.repeat(100)}\r\n`);
    }),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);
hostile(
  'a web check of a server that sends an endless header is down',
  () =>
    saying('HTTP/1.1 200 OK\r\nX: ', (socket) => {
      for (let i = 0; i < 200; i++) socket.write('v'.repeat(1_000));
    }),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);
hostile(
  'a web check of a server that sends endless empty lines is down',
  () => saying('\r\n'.repeat(100_000)),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);

// Interim responses

hostile(
  'a web check of a server that never sends the final response is down',
  () => saying('HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000)),
  'protocol',
  () => 'The response headers are larger than 64 KiB.',
);
hostile(
  'a web check of a server that closes after an interim response is down',
  () => saying('HTTP/1.1 100 Continue\r\n\r\n', closing),
  'protocol',
  (peer) => `${peer} closed the connection after an interim answer, without the final one.`,
);
hostile(
  'a web check of a server that switches to an unrequested protocol is down',
  () => saying('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  'protocol',
  (peer) => `${peer} switched to another protocol (101), which the request did not ask for.`,
);

// Where the body ends

const notANumber = 'its Content-Length is not a number of bytes';
for (const length of ['ten', '-1', '+1', '0x1', '1 1', '', '1;2', '9'.repeat(30)])
  invalid(`that sends the length "${length}"`, `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\nx`, notANumber);
for (const lengths of ['1\r\nContent-Length: 2', '1, 2'])
  invalid(
    `that sends two lengths (${lengths.replace('\r\n', ', ')})`,
    `HTTP/1.1 200 OK\r\nContent-Length: ${lengths}\r\n\r\nx`,
    'it has two different lengths',
  );
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const noSize = 'the size of a chunk is not a number';
for (const size of ['zz', '', '-5', '0x5', ' 5', '5 5', '\0'])
  invalid(`that sends a chunk of the size ${JSON.stringify(size)}`, `${chunked}${size}\r\nabc\r\n`, noSize);
invalid('that sends an endless chunk size', `${chunked}${'1'.repeat(100_000)}`, noSize);
invalid(
  'that sends an enormous chunk size',
  `${chunked}ffffffffffffffff\r\nabc`,
  'a chunk is larger than any response',
);
invalid(
  'that sends more than the size of a chunk',
  `${chunked}1\r\nabc\r\n0\r\n\r\n`,
  'a chunk is longer than its size says',
);
invalid('that sends a CR after a chunk', `${chunked}1\r\na\r\r\n0\r\n\r\n`, 'a chunk is longer than its size says');
invalid(
  'that sends endless trailers',
  `${chunked}0\r\n${`X: ${'v'.repeat(1_000)}\r\n`.repeat(100)}`,
  'its trailers are too large',
);

failures.run();
