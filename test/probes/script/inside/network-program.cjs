/**
 * Makes requests like a script, through the forwarder at the given port, and prints the results as JSON. Usage:
 * network-program.cjs <folder of the built files> <port of the forwarder> <HTTP> <HTTPS> <folder of authorities>
 */
const { readFileSync } = require('node:fs');
const [, , inside, forwarder, plain, secure, ca] = process.argv;
const http = require('node:http');
const https = require('node:https');
const { routeThrough } = require(`${inside}/network.cjs`);
routeThrough(Number(forwarder));

const to = { host: 'name.test', port: Number(plain) };
const toTls = { host: 'name.test', port: Number(secure) };
const trusting = { ca: readFileSync(ca, 'utf8') };

const get = (by, options, body) =>
  new Promise((resolve, reject) => {
    const request = by.request(options, (answer) => {
      const subject = answer.socket.getPeerCertificate?.().subject.CN;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => (text += piece));
      answer.on('error', reject);
      answer.on('end', () => resolve({ status: answer.statusCode, text, ...(subject && { subject }) }));
    });
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.end(body);
  });

/** More or less of them fits into the buffers on the way. */
const SIZES = [20_000, 50_000, 70_000, 90_000, 110_000, 150_000, 300_000];

/** The size of a response that is not read for a while. */
const late = (by, size, options) =>
  new Promise((resolve, reject) => {
    const request = by.get({ ...options, path: `/${size}`, agent: false }, (answer) => {
      answer.on('error', reject);
      setTimeout(() => {
        let read = 0;
        answer.on('data', (piece) => (read += piece.length));
        answer.on('end', () => resolve(read));
      }, 300);
    });
    request.on('error', reject);
  });

const socket = (url) =>
  new Promise((resolve, reject) => {
    const opened = new WebSocket(url);
    opened.onopen = () => opened.send('hello');
    opened.onmessage = ({ data }) => {
      resolve(data);
      opened.close();
    };
    opened.onerror = () => reject(new Error('no WebSocket'));
  });

const DEEDS = {
  fetch: async () => (await fetch(`http://name.test:${plain}/a`, { method: 'POST', body: 'x' })).text(),
  'fetch over TLS that is not trusted': async () => (await fetch(`https://name.test:${secure}/`)).text(),
  'fetch of what is refused': async () => (await fetch('http://name.test:81/')).text(),
  'fetch of what is not there': async () => (await fetch('http://nowhere.test:8080/')).text(),
  'fetch that is given up': async () =>
    (await fetch('http://silent.test:8080/', { signal: AbortSignal.timeout(50) })).text(),
  http: () => get(http, { ...to, path: '/a' }),
  'http, a large body': () => get(http, { ...to, method: 'POST' }, 'x'.repeat(1_000_000)),
  'http, answers that are read late': () => Promise.all(SIZES.map((size) => late(http, size, to))),
  'https, answers that are read late': () =>
    Promise.all(SIZES.map((size) => late(https, size, { ...toTls, ...trusting }))),
  'http without an agent': () => get(http, { ...to, agent: false }),
  'http with an own agent': () => get(http, { ...to, agent: new http.Agent({ keepAlive: true }) }),
  'http of what is refused': () => get(http, { ...to, port: 81 }),
  'http of a URL': () => get(http, `http://name.test:${plain}/a`),
  'http by an address': () => get(http, `http://[::1]:${plain}/`),
  'http with a time limit while it connects': () => get(http, { host: 'silent.test', port: 8080, timeout: 50 }),
  'http with a time limit for the answer': () => get(http, { ...to, path: '/silent', timeout: 100 }),
  'http that is given up while it connects': () =>
    get(http, { host: 'silent.test', port: 8080, signal: AbortSignal.timeout(50) }),
  'http over a socket of the file system': () => get(http, { socketPath: '/tmp/nothing.sock' }),
  'https that is not trusted': () => get(https, toTls),
  'https with an authority': () => get(https, { ...toTls, ...trusting }),
  'https with an authority and another name': () => get(https, { ...toTls, ...trusting, servername: 'other.test' }),
  'https that is not asked to be trusted': () => get(https, { ...toTls, rejectUnauthorized: false }),
  'https with an own agent': () => get(https, { ...toTls, agent: new https.Agent(trusting) }),
  'https without an agent': () => get(https, { ...toTls, ...trusting, agent: false }),
  'https of what is refused': () => get(https, { ...toTls, port: 81 }),
  'https with a time limit for the answer': () => get(https, { ...toTls, ...trusting, path: '/silent', timeout: 100 }),
  WebSocket: () => socket(`ws://name.test:${plain}/`),
  'WebSocket of what is refused': () => socket('ws://name.test:81/'),
};

const main = async () => {
  const outcomes = {};
  for (const [deed, act] of Object.entries(DEEDS)) {
    try {
      outcomes[deed] = await act();
    } catch (error) {
      outcomes[deed] = `${error.name}: ${(error.cause instanceof Error ? error.cause : error).message}`;
    }
  }
  process.stdout.write(JSON.stringify(outcomes));
};

void main();
