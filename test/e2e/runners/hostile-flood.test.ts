import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { endPrograms, type RunningProgram } from '../program.ts';
import { connectHostile, greeting, headersOf, sendTo, type RunnerResponse } from './hostile-runner.ts';
import { onHostileStage, refusedWith } from './hostile-stage.ts';
import { runnersOf } from './remote.ts';

const test = suite('a hostile runner');
test.after.each(endPrograms);
test.after.each(closeServers);

const connectAs = (service: RunningProgram, token: string, instance: string): Promise<RunnerResponse> =>
  sendTo(service, token, 'POST', '/sessions', JSON.stringify(greeting(instance)));

test(
  'a runner’s concurrent sessions and its new sessions per minute are limited, but a process can always replace its own session',
  onHostileStage(async ({ service, own, foreign }) => {
    for (let at = 0; at < 10; at++) assert.is((await connectAs(service, own.token, `i${at}`)).status, 200);
    refusedWith(
      await connectAs(service, own.token, 'i10'),
      429,
      'At most 10 processes may use one token concurrently.',
    );
    assert.is((await connectAs(service, own.token, 'i0')).status, 200);

    const churn = async (): Promise<number> => {
      for (let times = 0; ; times += 1) {
        const response = await connectAs(service, foreign.token, 'one');
        if (response.status !== 200) {
          refusedWith(response, 429, 'This token has opened too many sessions within a minute.');
          return times;
        }
        const { session } = response.body as { session: string };
        assert.is((await sendTo(service, foreign.token, 'DELETE', `/sessions/${session}`)).status, 204);
      }
    };
    assert.ok((await churn()) < 1_000);
  }),
);

test(
  'endless sessions, connections and request bodies of a hostile runner do not delay other clients',
  onHostileStage(async ({ service, own }) => {
    const { hostname, port } = new URL(service.address);
    const open = async (text: string): Promise<Socket> => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const head = (line: string, more: string): string =>
      `${line} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${Object.entries(headersOf(own.token))
        .map(([name, value]) => `${name}: ${value}`)
        .join('\r\n')}\r\n${more}\r\n`;
    const runner = await connectHostile(service, own.token, 'one');
    const base = `/internal/runners/sessions/${runner.welcome.session}`;
    const sockets: Socket[] = [];
    for (let at = 0; at < 50; at++) {
      sockets.push(
        await open(head(`POST ${base}/results`, 'Content-Type: application/json\r\nContent-Length: 1000000\r\n') + '{'),
        await open(head(`PUT ${base}/files/x`, 'Content-Length: 1000000\r\n') + 'x'),
        await open(
          head(`POST /internal/runners/sessions`, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'),
        ),
        // The runner does not read these streams. Each new stream ends the previous one.
        (await open(head(`GET ${base}/work`, ''))).pause(),
      );
    }
    for (const socket of sockets.filter((_, at) => at % 2 === 0)) socket.end();

    let opened = 0;
    const statuses = new Map<number, number>();
    const flood = async (): Promise<void> => {
      while (opened < 2_000) {
        opened += 1;
        const { status } = await connectAs(service, own.token, `i${opened}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const flooding = Promise.all(Array.from({ length: 10 }, flood));
    for (let time = 0; time < 10; time++) assert.is((await fetch(`${service.address}/health/live`)).status, 200);
    await flooding;
    assert.equal([...statuses.keys()].sort(), [200, 429]);
    assert.ok((statuses.get(200) ?? 0) < 1_000, `${String(statuses.get(200))} sessions`);
    assert.ok((await runnersOf(service)).every(({ instances }) => instances <= 10));
    for (const socket of sockets) socket.destroy();
  }),
);

test.run();
