import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { queryServers } from '../../../network/dns/query-servers.ts';
import { systemServers } from '../../../network/dns/servers.ts';
import { contextOf } from '../../probes/run-context.ts';
import { closeUdpServers, responseTo, udpServer } from './servers.ts';

const system = suite("the system's name servers");
system.after.each(closeUdpServers);

const folder = mkdtempSync(join(tmpdir(), 'uptrail-resolv-'));
system.after(() => {
  rmSync(folder, { recursive: true, force: true });
});
const file = join(folder, 'resolv.conf');

const hostsIn = async (text: string): Promise<string[]> => {
  writeFileSync(file, text);
  return (await systemServers(file)).map(({ host }) => host);
};

system("the system's name servers are the first three of resolv.conf, including their IPv6 zones", async () => {
  assert.equal(
    await hostsIn('# nameserver 192.0.2.9\nsearch a.test\nnameserver 192.0.2.1\nnameserver\tfe80::1%eth0  # a\n'),
    ['192.0.2.1', 'fe80::1%eth0'],
  );
  const many = [1, 2, 3, 4].map((last) => `nameserver 192.0.2.${last}`).join('\n');
  assert.equal(await hostsIn(many), ['192.0.2.1', '192.0.2.2', '192.0.2.3']);
});

system("the system's name server is this machine if resolv.conf contains no valid address", async () => {
  assert.equal(await hostsIn('options ndots:2\nnameserver ns.test\n ; x\n'), ['127.0.0.1']);
  assert.equal(
    (await systemServers(join(folder, 'none'))).map(({ text, port }) => [text, port]),
    [['127.0.0.1', 53]],
  );
});

system('an unreadable resolv.conf is a failure of the runner', async () => {
  try {
    // The path is a folder, which even root cannot read as a file.
    await systemServers(folder);
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).name, 'LocalFailure');
  }
});

system("the system's name servers are queried even if the target policy refuses their addresses", async () => {
  const server = await udpServer((query) => responseTo(query));
  const [first] = await systemServers(join(folder, 'none'));
  assert.ok(first);
  const { answered } = await queryServers(
    { name: 'a.test', type: 'A' },
    [{ ...first, port: server.port }],
    { timeLimit: 5_000 },
    contextOf({ rules: { policy: 'public' } }),
  );
  assert.ok(answered);
});

system.run();
