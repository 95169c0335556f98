// Own process: this file restarts itself in a network namespace.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testWith } from '../../deploy/project.ts';
import { runInOwnNetwork } from '../../own-network.ts';
import { linkFarHost } from '../far-network.ts';
import { noBrowser, openBrowser } from '../browser.ts';
import { eventually, realPause } from '../../waiting.ts';

const browsers = suite('network access of browsers in tests');
const missing = noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);
const test = testWith(browsers, missing === null && runInOwnNetwork());

/** Time in which a browser would send requests of its own after its start, in milliseconds. */
const WAIT_MS = 8_000;

const page = async () => {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url ?? '');
    response.setHeader('Content-Type', 'text/html').end('<title>Hello</title><p>Hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: requested, server };
};

test('browsers in tests send nothing to other machines, not even a DNS query', async () => {
  // All packets to other machines, including DNS queries, would use this link, which counts them.
  const far = await linkFarHost(['10.215.0.1/30'], ['10.215.0.2/30']);
  execFileSync('ip', ['route', 'add', 'default', 'via', '10.215.0.2']);
  writeFileSync('/proc/sys/net/ipv6/conf/near/disable_ipv6', '1');
  await realPause(1_000, 'the link itself reports that it is up');
  const sent = (): number => Number(/^\s*near:(?:\s+\d+){9}\s+(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8'))?.[1]);
  const sockets = (): string[] =>
    ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n').slice(1));
  const { url, asked, server } = await page();
  const before = sent();
  const browser = await openBrowser();
  try {
    const tab = await browser.newPage();
    await tab.goto(url);
    assert.is(await tab.title(), 'Hello');
    await realPause(WAIT_MS, 'the browser must send nothing meanwhile');
    assert.is(sent() - before, 0);
    // The browser has not attempted any connection to another machine either.
    const elsewhere = sockets().filter((line) =>
      / (?!0100007F|00000000|0{32}|0{24}01000000)[0-9A-F]{8,32}:/.test(line.slice(19)),
    );
    assert.equal(elsewhere, []);
    assert.ok(asked.includes('/'));
    // This packet proves that the counter works.
    const socket = createSocket('udp4');
    await new Promise<void>((sent) => {
      socket.send('counted', 9, '10.215.0.2', () => {
        sent();
      });
    });
    await eventually(() => sent() > before);
    socket.close();
  } finally {
    await browser.close();
    server.close();
    await far.close();
  }
});

browsers.run();
