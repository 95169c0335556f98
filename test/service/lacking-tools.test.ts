import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../service/config/config.ts';
import { EVERYTHING } from '../../service/plan.ts';
import { startService } from '../../service/service.ts';
import { rejects } from '../rejects.ts';
import { inTemporaryFolder } from './temporary.ts';

const lacking = suite('a service without the programs of some check types');

const PATH = process.env['PATH'];
lacking.after.each(() => {
  process.env['PATH'] = PATH;
});

lacking(
  'a service does not start if it can run none of its check types, and logs the reason',
  inTemporaryFolder(async (folder) => {
    process.env['PATH'] = folder;
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
    const config = readConfig({ DATA_DIR: folder, PORT: '0' });
    const sentence = "Checks of type icmp can't be run here: fping is not installed.";
    await rejects(startService(config, logger, { ...EVERYTHING, types: ['icmp'] }), Error, sentence);
    assert.match(lines.join(''), sentence);
  }),
);

lacking(
  'a service reports which permission of the system is missing, and how to grant it',
  inTemporaryFolder(async (folder) => {
    process.env['PATH'] = folder;
    const fping = '#!/bin/sh\necho "fping: can\'t create socket (must run as root?)" >&2\nexit 4\n';
    writeFileSync(join(folder, 'fping'), fping, { mode: 0o755 });
    const config = readConfig({ DATA_DIR: folder, PORT: '0' });
    const sentence =
      "Checks of type icmp can't be run here: fping may not send ICMP (fping: can't create socket (must run as root?))." +
      ' Allow the group of this process to open ping sockets (sysctl net.ipv4.ping_group_range="0 2147483647"),' +
      ' or give the process the capability CAP_NET_RAW.';
    const started = startService(config, pino({ level: 'silent' }), { ...EVERYTHING, types: ['icmp'] });
    await rejects(started, Error, sentence);
  }),
);

lacking.run();
