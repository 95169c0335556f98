import { suite } from 'uvu';
import { forgetKey } from '../../cli/keys/keys.ts';
import { readConfig } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { rejects } from '../rejects.ts';
import { collectLines } from '../service/lines.ts';
import { inTemporaryFolder } from '../service/temporary.ts';

const test = suite('uptrail keys forget');

test(
  'uptrail keys forget refuses keys of users and refers to uptrail user forget, which also revokes their access',
  inTemporaryFolder(async (folder) => {
    const forgetting = forgetKey(readConfig({ DATA_DIR: folder }), 'user-k3v9x0q2m7ab', collectLines());
    await rejects(forgetting, OperatorError, /uptrail user forget k3v9x0q2m7ab/);
  }),
);

test.run();
