import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InvalidPorts, isAmongPorts, parsePorts, portsInWords } from '../../../domain/target/ports.ts';

const ports = suite('a list of ports');

ports('a list of ports contains ports and inclusive ranges', () => {
  const list = parsePorts('80, 443,1024-65535');
  for (const port of [80, 443, 1_024, 65_535]) assert.is(isAmongPorts(list, port), true, port.toString());
  for (const port of [1, 22, 79, 81, 1_023]) assert.is(isAmongPorts(list, port), false, port.toString());
  assert.is(portsInWords(list), '80, 443 and 1024-65535');
  assert.is(portsInWords(parsePorts('443')), '443');
});

ports('the error for an invalid list of ports names the invalid part', () => {
  for (const part of ['', '0', '65536', '-1', '80-', '90-80', '1-2-3', 'http', '080808'])
    assert.throws(
      () => parsePorts(`443,${part}`),
      (error: Error) =>
        error instanceof InvalidPorts && error.message === `"${part}" is neither a port nor a range of ports.`,
      part,
    );
});

ports.run();
