import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CleanResponses } from '../../../../probes/script/proxy/clean-responses.ts';
import { eventually } from '../../../waiting.ts';
import { closeServers, rawServer } from '../../web/servers.ts';

const cleaning = suite('connections of the proxy to targets');

cleaning.after.each(closeServers);

cleaning(
  'the proxy completes a response without a length even if the client reads more slowly than the target sends',
  async () => {
    const server = await rawServer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nthe whole body'));
    });
    const socket = connect(server.port, '127.0.0.1');
    const answers = new CleanResponses(socket, 65_536);
    let received = '';
    let ended = false;
    answers.on('data', (piece: Buffer) => {
      received += piece.toString();
      if (received.endsWith('the whole body')) answers.pause();
    });
    answers.once('end', () => {
      ended = true;
    });
    answers.expect('GET');
    answers.write('GET / HTTP/1.1\r\n\r\n');
    await eventually(() => socket.closed);
    answers.resume();
    await eventually(() => ended || answers.closed);
    assert.is(received, 'HTTP/1.1 200 OK\r\n\r\nthe whole body');
    assert.ok(ended);
  },
);

cleaning.run();
