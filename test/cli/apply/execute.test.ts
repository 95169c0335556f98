import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal, type Client } from '../../../cli/apply/client.ts';
import { CONFLICTS, runApply } from '../../../cli/apply/commands.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { collectLines } from '../../service/lines.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { fakeService, storedAs } from './fake-service.ts';
import { group } from './plans.ts';

const test = suite('the execution of a plan');

interface Given {
  stored: Parameters<typeof fakeService>[0];
  configuration: Configuration;
  /** throws instead of changes */
  refuse: (method: string, path: string) => void;
  json?: boolean;
}

/** Applies a configuration with --prune. Returns the exit code or the error, the printed lines, and the changes. */
const applied = async (folder: string, { stored, configuration, refuse, json = false }: Given) => {
  const file = join(folder, 'uptrail.yaml');
  writeFileSync(file, JSON.stringify(configuration));
  const service = fakeService(stored);
  const write: Client['write'] = async (method, path, ...others) => {
    refuse(method, path);
    return service.client.write(method, path, ...others);
  };
  const output = collectLines();
  const options = { file: [file], prune: true, writeSecrets: false, json, yes: true };
  const outcome = await runApply({ ...service.client, write }, options, { environment: {}, output }).catch(
    (error: unknown) => error as Error,
  );
  return { outcome, lines: output.lines, changes: service.sent.map(({ method, path }) => `${method} ${path}`) };
};

const RENAMED = {
  stored: { '/v1/pages': [storedAs('1', { name: 'Old', subdomain: 'acme', managed_by: 'apply' })] },
  configuration: { check_groups: [{ name: 'Shop' }], pages: [{ name: 'New', subdomain: 'acme' }] },
};

test(
  'nothing is deleted if another step has failed, such as the creation of a page with the subdomain of the old one',
  inTemporaryFolder(async (folder) => {
    const refuse = (method: string, path: string): void => {
      if (method === 'POST' && path === '/v1/pages') throw new Refusal(422, 'subdomain: Is taken.');
    };
    const { outcome, lines, changes } = await applied(folder, { ...RENAMED, refuse });
    assert.is(outcome, 1);
    assert.equal(changes, ['POST /v1/check-groups']);
    assert.equal(lines, [
      '+ check group "Shop"',
      '! page "New": subdomain: Is taken.',
      '! page "Old": Not deleted, because other steps were not carried out.',
      '1 created, 0 changed, 0 deleted, 0 unchanged.',
      '1 step failed.',
      '1 step not carried out.',
    ]);
  }),
);

test(
  'nothing is deleted if somebody has changed an object since the plan',
  inTemporaryFolder(async (folder) => {
    const mark = { managed_by: 'apply' };
    const { outcome, lines, changes } = await applied(folder, {
      stored: { '/v1/check-groups': [group('1', 'Shop', mark), group('2', 'Old', mark)] },
      configuration: { check_groups: [{ name: 'Shop', color: '#000000' }] },
      refuse: (method) => {
        if (method === 'PUT') throw new Refusal(412, 'Changed.');
      },
      json: true,
    });
    assert.is(outcome, CONFLICTS);
    assert.equal(changes, []);
    const { conflicts, failures, skipped } = JSON.parse(lines.join('')) as Record<string, unknown>;
    assert.equal([conflicts, failures, skipped], [['check group "Shop"'], [], ['check group "Old"']]);
  }),
);

for (const json of [false, true]) {
  test(
    `an apply that cannot reach the service any more prints what it has done${json ? ' as JSON' : ''} before it fails`,
    inTemporaryFolder(async (folder) => {
      const requests: string[] = [];
      const { outcome, lines } = await applied(folder, {
        stored: {},
        configuration: {
          check_groups: [{ name: 'A' }, { name: 'B' }],
          incident_templates: Array.from({ length: 20 }, (_, n) => ({ name: `T${n}` })),
        },
        refuse: (method, path) => {
          requests.push(`${method} ${path}`);
          if (path === '/v1/incident-templates') throw new OperatorError('The service cannot be reached.');
        },
        json,
      });
      assert.instance(outcome, OperatorError);
      assert.is((outcome as Error).message, 'The service cannot be reached.');
      // Steps that have not begun when the first one fails do not begin any more.
      assert.ok(requests.length < 20, String(requests.length));
      if (json) {
        const { created, failures, skipped } = JSON.parse(lines.join('')) as Record<string, string[]>;
        assert.equal([created, failures], [['check group "A"', 'check group "B"'], []]);
        assert.is(skipped?.length, 20);
      } else {
        assert.equal(lines, [
          '+ check group "A"',
          '+ check group "B"',
          '2 created, 0 changed, 0 deleted, 0 unchanged.',
          '20 steps not carried out.',
        ]);
      }
    }),
  );
}

test.run();
